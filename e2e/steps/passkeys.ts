import type { CDPSession, Page } from '@playwright/test'

const sessions = new WeakMap<Page, CDPSession>()

/** Returns the page's only session here, because the end of any session removes the authenticators. */
async function openSession(page: Page): Promise<CDPSession> {
  const session = sessions.get(page) ?? (await page.context().newCDPSession(page))
  sessions.set(page, session)
  return session
}

export interface Authenticator {
  recognize(isUser: boolean): Promise<void>
  clear(): Promise<void>
  /** The other page has the same device. */
  copyTo(other: Authenticator): Promise<void>
  add(passkey: object): Promise<void>
  count(): Promise<number>
}

/** The authenticator recognizes its user and outlives reloads of the page. */
export async function addAuthenticator(page: Page): Promise<Authenticator> {
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
  const read = async () => (await session.send('WebAuthn.getCredentials', { authenticatorId })).credentials
  return {
    async recognize(isUserVerified) {
      await session.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified })
    },
    async clear() {
      await session.send('WebAuthn.clearCredentials', { authenticatorId })
    },
    async copyTo(other) {
      for (const passkey of await read()) await other.add(passkey)
    },
    async add(credential) {
      await session.send('WebAuthn.addCredential', { authenticatorId, credential: credential as never })
    },
    count: async () => (await read()).length,
  }
}

export async function readAccessibleNames(page: Page): Promise<string> {
  const session = await openSession(page)
  const { nodes } = await session.send('Accessibility.getFullAXTree')
  return nodes.flatMap(({ ignored, name }) => (ignored ? [] : [name?.value ?? ''])).join('\n')
}
