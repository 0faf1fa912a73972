import type { Page, Route } from '@playwright/test'
import type { Language } from '../../domain/language.ts'
import { expect, type Server } from '../fixtures.ts'
import type { Said } from '../moneyTexts/said.ts'
import type { Person } from './people.ts'

/** A notice says this and nothing else; `buttons`: the words of those in it. */
export async function expectSaid(page: Page, said: Said, language: Language, ...buttons: string[]) {
  const [title, ...sentences] = said[language]
  const regions = page.getByRole('alert').or(page.getByRole('status')).filter({ visible: true })
  // Several toasts may stand in one region.
  const toast = page.locator('p[data-kind]')
  const notice = regions.filter({ hasNot: toast }).or(toast)
  const whole = [title, sentences.join(' '), ...buttons].join('')
  await expect(notice.filter({ hasText: title }).first()).toHaveText(whole)
}

export const FUNCTIONS = '**/.netlify/functions'

/** What a refusal may depend on. */
const DETAILS = {
  ...{ retryAfterSeconds: 82_000, leftCents: 5_000, resetsAt: Date.UTC(2030, 1, 1) },
  ...{ amount: 8450, currency: 'EUR', dueDate: '2030-02-01' },
}

/** The words with the day in place of the one that they are written down with. */
export function dated(said: Said, day: string): Said {
  const put = ([title, ...sentences]: Said['fr']): Said['fr'] => [
    title.replace('{until}', day),
    ...sentences.map((sentence) => sentence.replace(/1er février 2030|1 February 2030/, day)),
  ]
  return { fr: put(said.fr), en: put(said.en) }
}

/** A Premium plan as the provider's news would have stored it. */
export const writePlan = (server: Server, { uid, name, email }: Person & { uid: string }, change: object) =>
  server.write(`users/${uid}`, {
    ...{ name, email, phone: null, createdAt: new Date(), madeWith: 'address', verifiedAddress: email },
    subscription: {
      ...{ tier: 'premium', status: 'active', transactionsLeft: 2, stripeSubscriptionId: 'sub_1' },
      ...{ startDate: new Date(), lastReset: new Date(), cancelAt: null, ...change },
    },
  })

const STATUS: Readonly<Record<string, number>> = {
  unauthenticated: 401,
  paymentUnavailable: 502,
  unavailable: 503,
}

export const refusal = (code: string, details: object = DETAILS) => ({
  status: STATUS[code] ?? 409,
  // What the server says itself is shown only where the app has no words for it.
  json: { code, error: code === 'newReason' ? '' : 'Of the server', message: 'Of the server', details },
})

/** One function answers the next call so. */
export const answer = (page: Page, name: string, response: Parameters<Route['fulfill']>[0]) =>
  page.route(`${FUNCTIONS}/${name}*`, (route) => route.fulfill(response), { times: 1 })

/** A function refuses what is pressed, however often it is asked: what its refusal says. */
export async function expectRefusals(
  page: Page,
  name: string,
  refusals: Readonly<Record<string, Said>>,
  language: Language,
  press: () => Promise<void>,
) {
  for (const [code, said] of Object.entries(refusals)) {
    await page.route(`${FUNCTIONS}/${name}`, (route) => route.fulfill(refusal(code)))
    await press()
    await expectSaid(page, said, language)
    await page.unroute(`${FUNCTIONS}/${name}`)
  }
}
