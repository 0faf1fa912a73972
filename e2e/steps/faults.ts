import { type BrowserContext, expect, type Page } from '@playwright/test'
import type { Server } from '../server.ts'
import { words } from '../words.ts'
import type { Person } from './person.ts'

export async function crashHomeScreen(page: Page) {
  await page.evaluate((invoices) => {
    const get = () => {
      throw new Error('not foreseen')
    }
    Object.defineProperty(String.prototype, 'toLocaleUpperCase', { get })
    const entries = [...document.querySelectorAll<HTMLElement>('nav button')]
    entries.find(({ textContent }) => textContent === invoices)?.click()
  }, words.invoices)
}

/** Returns a function that repairs the form. */
export async function crashForm(page: Page) {
  await page.getByLabel(words.amount).focus()
  const repair = await breakMethod(page, 'String', 'padStart')
  await page.keyboard.type('1')
  return repair
}

/** Components that use the method, to show amounts or dates, fail until the returned function is called. */
export async function breakMethod(page: Page, owner: 'String' | 'DateTimeFormat', name: string) {
  await page.evaluate(
    ([owner, name]) => {
      const get = () => {
        throw new Error('not foreseen')
      }
      const { prototype } = owner === 'String' ? String : Intl.DateTimeFormat
      const whole = Object.getOwnPropertyDescriptor(prototype, name)
      Object.defineProperty(prototype, name, { get })
      Object.assign(window, { repair: () => Object.defineProperty(prototype, name, whole ?? {}) })
    },
    [owner, name] as const,
  )
  return () => page.evaluate(() => (window as unknown as { repair: () => void }).repair())
}

/** Holds requests until the returned function is called; then earlier routes apply. */
export async function delayRequests(page: Page | BrowserContext, address: string): Promise<() => void> {
  const { promise: released, resolve } = Promise.withResolvers<void>()
  await page.route(address, async (route) => {
    await released
    await route.fallback()
  })
  return resolve
}

export const blockStorage = (page: Page) =>
  page.addInitScript(() =>
    Object.defineProperty(window, 'localStorage', {
      configurable: true,
      get() {
        throw new DOMException('Access is denied', 'SecurityError')
      },
    }),
  )

/** Applies to the next change of the address. `update` changes an address that is valid immediately. */
export const requireRecentSignIn = (server: Server, call: 'sendOobCode' | 'update' = 'sendOobCode') =>
  server.addFault({
    on: `POST /identitytoolkit.googleapis.com/v1/accounts:${call}`,
    times: 1,
    what: { kind: 'status', status: 400, message: 'CREDENTIAL_TOO_OLD_LOGIN_AGAIN' },
  })

/** The token stays invalid until the app has renewed it. */
export async function corruptToken(page: Page) {
  let spoilt: string | undefined
  await page.route(/netlify\/functions|documents:|documents\/|\/v0\/b\//, async (route) => {
    const headers = await route.request().allHeaders()
    const { authorization } = headers
    if (authorization && !authorization.startsWith('Bearer owner')) spoilt ??= authorization
    if (!spoilt || authorization !== spoilt) return route.continue()
    return route.continue({ headers: { ...headers, authorization: `${spoilt.slice(0, -8)}AAAAAAAA` } })
  })
}

/** Ends every session. Returns the user with the new password. */
export async function changePasswordElsewhere(page: Page, server: Server, person: Person): Promise<Person> {
  const ask = (operation: string, data: object) =>
    page.request.post(
      `${server.origin}/identitytoolkit.googleapis.com/v1/accounts:${operation}?key=sandbox`,
      { data },
    )
  await ask('sendOobCode', { requestType: 'PASSWORD_RESET', email: person.email })
  const oobCode = new URL(await server.mailLink(person.email)).searchParams.get('oobCode')
  const password = 'Konkouré2026'
  expect((await ask('resetPassword', { oobCode, newPassword: password })).ok()).toBe(true)
  return { ...person, password }
}
