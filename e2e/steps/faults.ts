import { type BrowserContext, expect, type Page } from '@playwright/test'
import type { Server } from '../server.ts'
import { words } from '../words.ts'
import type { Person } from './person.ts'

/** Makes the home screen fail while rendering, by breaking a method of the browser. */
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

/** Makes the transfer form fail while rendering. Returns a function that repairs it. */
export async function crashForm(page: Page) {
  await page.getByLabel(words.amount).focus()
  const repair = await breakFormat(page, 'NumberFormat')
  await page.keyboard.type('1')
  return repair
}

/** Makes components with numbers or dates fail to render until the returned function is called. */
export async function breakFormat(page: Page, name: 'NumberFormat' | 'DateTimeFormat') {
  await page.evaluate((name) => {
    const get = () => {
      throw new Error('not foreseen')
    }
    const { prototype } = Intl[name]
    const whole = Object.getOwnPropertyDescriptor(prototype, 'format')
    Object.defineProperty(prototype, 'format', { get })
    Object.assign(window, { repair: () => Object.defineProperty(prototype, 'format', whole ?? {}) })
  }, name)
  return () => page.evaluate(() => (window as unknown as { repair: () => void }).repair())
}

/** Holds back requests to this URL until the returned function is called; then earlier routes apply. */
export async function delayRequests(page: Page | BrowserContext, address: string): Promise<() => void> {
  const { promise: released, resolve } = Promise.withResolvers<void>()
  await page.route(address, async (route) => {
    await released
    await route.fallback()
  })
  return resolve
}

/**
 * Holds back responses, after the server has done its work, until the returned function is called. `what`:
 * only responses to requests whose body matches.
 */
export async function delayResponses(
  page: Page | BrowserContext,
  address: string,
  what = /./,
): Promise<() => void> {
  const { promise: released, resolve } = Promise.withResolvers<void>()
  await page.route(address, async (route) => {
    if (!what.test(route.request().postData() ?? '')) return route.fallback()
    const response = await route.fetch()
    await released
    await route.fulfill({ response })
  })
  return resolve
}

/** Simulates a browser that stores nothing for this site. */
export const blockStorage = (page: Page) =>
  page.addInitScript(() =>
    Object.defineProperty(window, 'localStorage', {
      configurable: true,
      get() {
        throw new DOMException('Access is denied', 'SecurityError')
      },
    }),
  )

/**
 * Makes the sign-in service refuse the next change of the email address because the sign-in is too old.
 * `update` is the call for an address that is valid immediately.
 */
export const requireRecentSignIn = (server: Server, call: 'sendOobCode' | 'update' = 'sendOobCode') =>
  server.addFault({
    on: `POST /identitytoolkit.googleapis.com/v1/accounts:${call}`,
    times: 1,
    what: { kind: 'status', status: 400, message: 'CREDENTIAL_TOO_OLD_LOGIN_AGAIN' },
  })

/** Makes the server receive an invalid token until the app has renewed it. */
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

/**
 * Changes the user's password on another device, which ends every session. Returns the user with the new
 * password.
 */
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

/**
 * Does the work once, before the server receives the next request to reserve, which simulates a change on
 * another device.
 */
export const runBeforeReserving = (page: Page, work: () => Promise<unknown>) =>
  page.route(
    '**/create-payment-intent',
    async (route) => {
      await work()
      await route.fallback()
    },
    { times: 1 },
  )
