import type { CDPSession, Page } from '@playwright/test'

const sessions = new WeakMap<Page, CDPSession>()

/** Returns the page's only session here, because the end of any session removes the authenticators. */
async function openSession(page: Page): Promise<CDPSession> {
  const session = sessions.get(page) ?? (await page.context().newCDPSession(page))
  sessions.set(page, session)
  return session
}

/** The device's own authenticator, such as a fingerprint sensor, of one page. */
export interface Authenticator {
  /** Whether the device recognizes the person who holds it. */
  recognize(isUser: boolean): Promise<void>
  /** Deletes the passkeys, as a user can in the device's settings. */
  clear(): Promise<void>
  /** Gives the passkeys to another page of the same device. */
  copyTo(other: Authenticator): Promise<void>
  add(passkey: object): Promise<void>
  count(): Promise<number>
}

/** Gives the page's device an authenticator that recognizes its user. It outlives reloads of the page. */
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

/** Lists what assistive technology finds on the page: the names of its elements, and its texts. */
export async function readAccessibleNames(page: Page): Promise<string> {
  const session = await openSession(page)
  const { nodes } = await session.send('Accessibility.getFullAXTree')
  return nodes.flatMap(({ ignored, name }) => (ignored ? [] : [name?.value ?? ''])).join('\n')
}
