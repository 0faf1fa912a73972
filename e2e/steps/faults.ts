import { expect, type Page } from '@playwright/test'
import type { Server } from '../server.ts'
import { words } from '../words.ts'
import type { Person } from './people.ts'

/** From the home screen to a failure while it is drawn, by a browser that has lost a part of itself. */
export async function crash(page: Page) {
  await page.getByLabel(words.amount).focus()
  await page.evaluate(() => {
    const get = () => {
      throw new Error('not foreseen')
    }
    Object.defineProperty(Intl.NumberFormat.prototype, 'format', { get })
  })
  await page.keyboard.type('1')
}

/** Keeps what the page asks for at this address waiting until the function that it returns is called. Earlier routes then answer. */
export async function holdBack(page: Page, address: string): Promise<() => void> {
  const { promise: released, resolve } = Promise.withResolvers<void>()
  await page.route(address, async (route) => {
    await released
    await route.fallback()
  })
  return resolve
}

/** The same, but the server has done what was asked by then: only its answer is late. `what`: of what is asked there, only this. */
export async function holdBackAnswer(page: Page, address: string, what = /./): Promise<() => void> {
  const { promise: released, resolve } = Promise.withResolvers<void>()
  await page.route(address, async (route) => {
    if (!what.test(route.request().postData() ?? '')) return route.fallback()
    const response = await route.fetch()
    await released
    await route.fulfill({ response })
  })
  return resolve
}

/** A browser that keeps nothing for this site. */
export const blockStorage = (page: Page) =>
  page.addInitScript(() =>
    Object.defineProperty(window, 'localStorage', {
      configurable: true,
      get() {
        throw new DOMException('Access is denied', 'SecurityError')
      },
    }),
  )

/** The next change of the address is refused, as when the sign-in is too old; `update`: of an address that counts at once. */
export const demandProof = (server: Server, call: 'sendOobCode' | 'update' = 'sendOobCode') =>
  server.addFault({
    on: `POST /identitytoolkit.googleapis.com/v1/accounts:${call}`,
    times: 1,
    what: { kind: 'status', status: 400, message: 'CREDENTIAL_TOO_OLD_LOGIN_AGAIN' },
  })

/** From now on the server is shown a token that it does not take, until the app has made another. */
export async function spoilToken(page: Page) {
  let spoilt: string | undefined
  await page.route(/netlify\/functions|documents:|documents\/|\/v0\/b\//, async (route) => {
    const headers = await route.request().allHeaders()
    const { authorization } = headers
    if (authorization && !authorization.startsWith('Bearer owner')) spoilt ??= authorization
    if (!spoilt || authorization !== spoilt) return route.continue()
    return route.continue({ headers: { ...headers, authorization: `${spoilt.slice(0, -8)}AAAAAAAA` } })
  })
}

/** The person's password is changed on another device, which ends every session. Answers the person as they sign in from then on. */
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
 * Does the work when a payment was confirmed and before the server hears of it, once: a device that has not heard of
 * it yet, however slow the machine is.
 */
export const rightBeforeReserving = (page: Page, work: () => Promise<unknown>) =>
  page.route(
    '**/create-payment-intent',
    async (route) => {
      await work()
      await route.fallback()
    },
    { times: 1 },
  )
