import type { CDPSession, Page } from '@playwright/test'

const sessions = new WeakMap<Page, CDPSession>()

/** Returns the page's only session here, because the end of any session removes the authenticators. */
async function openSession(page: Page): Promise<CDPSession> {
  const session = sessions.get(page) ?? (await page.context().newCDPSession(page))
  sessions.set(page, session)
  return session
}

/** The authenticator recognizes its user and outlives reloads of the page. */
export async function addAuthenticator(page: Page) {
  const session = await openSession(page)
  await session.send('WebAuthn.enable')
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasUserVerification: true,
      hasResidentKey: true,
      isUserVerified: true,
    },
  })
  return {
    async recognize(isUserVerified: boolean) {
      await session.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified })
    },
  }
}

export async function readAccessibleNames(page: Page): Promise<string> {
  const session = await openSession(page)
  const { nodes } = await session.send('Accessibility.getFullAXTree')
  return nodes.flatMap(({ ignored, name }) => (ignored ? [] : [name?.value ?? ''])).join('\n')
}
