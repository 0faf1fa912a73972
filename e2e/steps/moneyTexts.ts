import type { Locator, Page } from '@playwright/test'
import { formatLocalMinute } from '../../domain/common/localDay.ts'
import { formatDay } from '../../domain/common/month.ts'
import { formatWait } from '../../domain/common/wait.ts'
import { parseRefusal } from '../../domain/errors/refusals.ts'
import { type Currency, formatMoney, formatMoneyShort, money } from '../../domain/money/money.ts'
import { DEFAULT_FEE_PERCENT } from '../../domain/prices/fees.ts'
import { MONTHLY_CAP_EUR_CENTS } from '../../domain/prices/limits.ts'
import type { ServiceCall } from '../../scenes/scene.ts'
import { expect } from '../fixtures.ts'
import { getTestLanguage, getText } from '../texts.ts'
import { setResponse } from './scenes.ts'

export const formatAmountText = (minor: number, currency: Currency = 'EUR') =>
  formatMoney(money(minor, currency), getTestLanguage())

/** Whole amounts have no decimals. */
export const formatPriceText = (minor: number) => formatMoneyShort(money(minor, 'EUR'), getTestLanguage())

export const formatDayText = (ms: number) => formatDay(ms, getTestLanguage())

export const MOCK_DATE = Date.UTC(2030, 1, 1)

const REFUSAL_DETAILS = {
  ...{ retryAfterSeconds: 82_000, leftCents: 5_000, resetsAt: MOCK_DATE, until: MOCK_DATE },
  ...{ amount: 8450, currency: 'EUR', dueDate: '2030-02-01', limitCents: 25_000, document: 'none' },
}

/** `gaps` override the values of `REFUSAL_DETAILS`. */
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

export async function expectNotice(page: Page, title: string, ...more: readonly string[]): Promise<Locator> {
  const regions = page.getByRole('alert').or(page.getByRole('status')).filter({ visible: true })
  // A region may show several toasts.
  const toast = page.locator('p[data-kind]')
  const notice = regions.filter({ hasNot: toast }).or(toast).filter({ hasText: title }).first()
  await expect(notice).toHaveText([title, ...more].join(''))
  return notice
}

/** `ids`: 'title | sentence | sentence'. `gaps` override the values of `REFUSAL_DETAILS`. */
export async function expectNoticeTexts(page: Page, ids: string, gaps?: object, ...buttons: string[]) {
  const [title = '', ...sentences] = ids.split(' | ').map((id) => getMoneyText(id, gaps))
  return expectNotice(page, title, sentences.join(' '), ...buttons)
}

const STATUS: Readonly<Record<string, number>> = {
  unauthenticated: 401,
  paymentUnavailable: 502,
  unavailable: 503,
}

/** The app shows the server's texts only without a code. `newReason`: an unknown code without a text. */
export const refuse = (
  code: string,
  details: object = REFUSAL_DETAILS,
  texts: { error?: string; message?: string } = code === 'newReason' ? {} : { error: 'Of the server' },
) => ({
  failure: {
    kind: 'function' as const,
    status: STATUS[code] ?? 409,
    ...{ error: '', message: '', ...texts, ...parseRefusal(code, details) },
  },
})

export const NO_NETWORK = { failure: { kind: 'network' } } as const

/** `press` makes the app call. */
export async function expectRefusals(
  page: Page,
  call: ServiceCall,
  refusals: Readonly<Record<string, string>>,
  press: () => Promise<void>,
  expectMore: (notice: Locator) => Promise<void> = async () => {},
) {
  for (const [code, said] of Object.entries(refusals)) {
    await setResponse(page, call, refuse(code))
    await press()
    await expectMore(await expectNoticeTexts(page, said))
  }
}
