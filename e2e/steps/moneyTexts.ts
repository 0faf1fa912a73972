import type { Locator, Page, Route } from '@playwright/test'
import { DEFAULT_FEE_PERCENT } from '../../domain/fees.ts'
import { MONTHLY_CAP_EUR_CENTS } from '../../domain/limits.ts'
import { type Currency, formatMoney, formatMoneyShort, money } from '../../domain/money.ts'
import { formatDay } from '../../domain/month.ts'
import { formatWait } from '../../domain/wait.ts'
import { expect } from '../fixtures.ts'
import { currentLanguage, say } from '../texts.ts'

/** An amount in minor units as the screen shows it. */
export const amount = (minor: number, currency: Currency = 'EUR') =>
  formatMoney(money(minor, currency), currentLanguage())

/** A price or a limit: a whole amount has no decimals. */
export const price = (minor: number) => formatMoneyShort(money(minor, 'EUR'), currentLanguage())

export const day = (ms: number) => formatDay(ms, currentLanguage())

/** The day that `refusal` and the plans of the tests name. */
export const THEN = Date.UTC(2030, 1, 1)

/** What a refusal may depend on. */
const DETAILS = {
  ...{ retryAfterSeconds: 82_000, leftCents: 5_000, resetsAt: THEN },
  ...{ amount: 8450, currency: 'EUR', dueDate: '2030-02-01' },
}

/** Returns a text with the values of `DETAILS` in its gaps, unless others are given. */
export const sayOfMoney = (id: string, gaps: object = {}) =>
  say(id, {
    ...{
      cap: price(MONTHLY_CAP_EUR_CENTS),
      left: amount(DETAILS.leftCents),
      date: day(THEN),
      until: day(THEN),
    },
    ...{
      wait: formatWait(DETAILS.retryAfterSeconds, currentLanguage()),
      name: 'Premium',
      DEFAULT_FEE_PERCENT,
    },
    ...gaps,
  })

/** Expects a notice that holds these texts and nothing else. */
export async function expectNotice(page: Page, title: string, ...more: readonly string[]): Promise<Locator> {
  const regions = page.getByRole('alert').or(page.getByRole('status')).filter({ visible: true })
  // Several toasts may stand in one region.
  const toast = page.locator('p[data-kind]')
  const notice = regions.filter({ hasNot: toast }).or(toast).filter({ hasText: title }).first()
  await expect(notice).toHaveText([title, ...more].join(''))
  return notice
}

/** Expects a notice by the ids of its texts, 'title | sentence | sentence'. `gaps` replace the values of `refusal`. */
export async function expectSaid(page: Page, ids: string, gaps?: object, ...buttons: string[]) {
  const [title = '', ...sentences] = ids.split(' | ').map((id) => sayOfMoney(id, gaps))
  return expectNotice(page, title, sentences.join(' '), ...buttons)
}

export const FUNCTIONS = '**/.netlify/functions'

const STATUS: Readonly<Record<string, number>> = {
  unauthenticated: 401,
  paymentUnavailable: 502,
  unavailable: 503,
}

export const refusal = (code: string, details: object = DETAILS) => ({
  status: STATUS[code] ?? 409,
  // The app shows the server's own words only where it has none for the code.
  json: { code, error: code === 'newReason' ? '' : 'Of the server', message: 'Of the server', details },
})

/** One function answers the next call so. */
export const answer = (page: Page, name: string, response: Parameters<Route['fulfill']>[0]) =>
  page.route(`${FUNCTIONS}/${name}*`, (route) => route.fulfill(response), { times: 1 })

/** Expects what each refusal of a function says, however often the function is called. */
export async function expectRefusals(
  page: Page,
  name: string,
  refusals: Readonly<Record<string, string>>,
  press: () => Promise<void>,
  expectMore: (notice: Locator) => Promise<void> = async () => {},
) {
  for (const [code, said] of Object.entries(refusals)) {
    await page.route(`${FUNCTIONS}/${name}`, (route) => route.fulfill(refusal(code)))
    await press()
    await expectMore(await expectSaid(page, said))
    await page.unroute(`${FUNCTIONS}/${name}`)
  }
}
