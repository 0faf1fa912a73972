import type { Locator, Page, Route } from '@playwright/test'
import { formatLocalMinute } from '../../domain/common/localDay.ts'
import { formatDay } from '../../domain/common/month.ts'
import { formatWait } from '../../domain/common/wait.ts'
import { type Currency, formatMoney, formatMoneyShort, money } from '../../domain/money/money.ts'
import { DEFAULT_FEE_PERCENT } from '../../domain/prices/fees.ts'
import { MONTHLY_CAP_EUR_CENTS } from '../../domain/prices/limits.ts'
import { expect } from '../fixtures.ts'
import { getTestLanguage, getText } from '../texts.ts'

/** Formats an amount in minor units as the screens do. */
export const formatAmountText = (minor: number, currency: Currency = 'EUR') =>
  formatMoney(money(minor, currency), getTestLanguage())

/** Formats a price or limit in EUR cents; whole amounts have no decimals. */
export const formatPriceText = (minor: number) => formatMoneyShort(money(minor, 'EUR'), getTestLanguage())

export const formatDayText = (ms: number) => formatDay(ms, getTestLanguage())

/** The date in the mocked refusals and plans. */
export const MOCK_DATE = Date.UTC(2030, 1, 1)

/** The details of the mocked refusals. */
const REFUSAL_DETAILS = {
  ...{ retryAfterSeconds: 82_000, leftCents: 5_000, resetsAt: MOCK_DATE, until: MOCK_DATE },
  ...{ amount: 8450, currency: 'EUR', dueDate: '2030-02-01', limitCents: 25_000, document: 'none' },
}

/** Returns a text with its placeholders filled from `REFUSAL_DETAILS`, unless `gaps` overrides them. */
export const getMoneyText = (id: string, gaps: object = {}) =>
  getText(id, {
    ...{
      cap: formatPriceText(MONTHLY_CAP_EUR_CENTS),
      left: formatAmountText(REFUSAL_DETAILS.leftCents),
      date: formatDayText(MOCK_DATE),
      until: formatDayText(MOCK_DATE),
      limit: formatAmountText(REFUSAL_DETAILS.limitCents),
      instant: formatLocalMinute(MOCK_DATE, getTestLanguage(), 'Europe/Paris'),
    },
    ...{
      wait: formatWait(REFUSAL_DETAILS.retryAfterSeconds, getTestLanguage()),
      name: 'Premium',
      DEFAULT_FEE_PERCENT,
    },
    ...gaps,
  })

/** Expects a notice with exactly these texts. */
export async function expectNotice(page: Page, title: string, ...more: readonly string[]): Promise<Locator> {
  const regions = page.getByRole('alert').or(page.getByRole('status')).filter({ visible: true })
  // A region may show several toasts.
  const toast = page.locator('p[data-kind]')
  const notice = regions.filter({ hasNot: toast }).or(toast).filter({ hasText: title }).first()
  await expect(notice).toHaveText([title, ...more].join(''))
  return notice
}

/**
 * Expects a notice by the IDs of its texts, 'title | sentence | sentence'. `gaps` override the values of
 * `REFUSAL_DETAILS`.
 */
export async function expectNoticeTexts(page: Page, ids: string, gaps?: object, ...buttons: string[]) {
  const [title = '', ...sentences] = ids.split(' | ').map((id) => getMoneyText(id, gaps))
  return expectNotice(page, title, sentences.join(' '), ...buttons)
}

export const FUNCTIONS_PATTERN = '**/.netlify/functions'

const STATUS: Readonly<Record<string, number>> = {
  unauthenticated: 401,
  paymentUnavailable: 502,
  unavailable: 503,
}

export const buildRefusal = (code: string, details: object = REFUSAL_DETAILS) => ({
  status: STATUS[code] ?? 409,
  // The app never shows the server's text of a refusal with a code. `newReason` stands for the refusal of a
  // newer server, with a code that the app does not know and no text.
  json: { code, error: code === 'newReason' ? '' : 'Of the server', message: 'Of the server', details },
})

/** Mocks the next response of a function. */
export const mockFunctionResponse = (page: Page, name: string, response: Parameters<Route['fulfill']>[0]) =>
  page.route(`${FUNCTIONS_PATTERN}/${name}*`, (route) => route.fulfill(response), { times: 1 })

/** Expects the texts of each refusal of a function. `press` makes the app call the function. */
export async function expectRefusals(
  page: Page,
  name: string,
  refusals: Readonly<Record<string, string>>,
  press: () => Promise<void>,
  expectMore: (notice: Locator) => Promise<void> = async () => {},
) {
  for (const [code, said] of Object.entries(refusals)) {
    await page.route(`${FUNCTIONS_PATTERN}/${name}`, (route) => route.fulfill(buildRefusal(code)))
    await press()
    await expectMore(await expectNoticeTexts(page, said))
    await page.unroute(`${FUNCTIONS_PATTERN}/${name}`)
  }
}
