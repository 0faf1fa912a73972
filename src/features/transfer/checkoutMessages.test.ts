import { i18n } from '@lingui/core'
import { beforeAll, expect, test } from 'vitest'
import type { Language } from '../../../domain/common/language.ts'
import type { SourceCurrency } from '../../../domain/money/money.ts'
import { loadLanguage, loadWithPageMessages } from '../../ui/i18n.ts'
import { getTransferCheckoutText } from './checkoutMessages.ts'

beforeAll(() => loadWithPageMessages(Promise.resolve()))

test.each<['tooManyUndelivered' | 'tooManyCanceled', Language, string]>([
  ['tooManyUndelivered', 'fr', 'réessayez à partir du 2 décembre 2026 à 08:30.'],
  ['tooManyUndelivered', 'en', 'try again from 2 December 2026 at 08:30.'],
  ['tooManyCanceled', 'fr', 'Réessayez à partir du 2 décembre 2026 à 08:30.'],
  ['tooManyCanceled', 'en', 'Try again from 2 December 2026 at 08:30.'],
])('the text of %s states when the refusal ends (%s)', async (code, language, said) => {
  await loadLanguage(language)
  const until = new Date(2026, 11, 2, 8, 30).getTime()
  const details = { retryAfterSeconds: 60, until }
  const failure = { kind: 'function', status: 429, error: '', message: '', code, details } as const
  expect(getTransferCheckoutText({ kind: 'refused', failure }, i18n, 'EUR').text).toContain(said)
})

const RESETS_AT = Date.UTC(2026, 11, 1)

test.each<[SourceCurrency, Language, string]>([
  ['EUR', 'fr', 'Vous pouvez envoyer 1 000 € par mois. Il vous reste 50,00 €'],
  ['EUR', 'en', 'You can send €1,000 a month. You have €50.00 left'],
  ['CAD', 'fr', 'Vous pouvez envoyer 1 000 € (1 666,67 $CA) par mois. Il vous reste 83,34 $CA'],
  ['CAD', 'en', 'You can send €1,000 (CA$1,666.67) a month. You have CA$83.34 left'],
])('the monthly cap’s message shows %s, the transfer’s currency (%s)', async (currency, language, said) => {
  await loadLanguage(language)
  const problem = { kind: 'monthlyCapExceeded', leftCents: 5_000, resetsAt: RESETS_AT } as const
  expect(getTransferCheckoutText(problem, i18n, currency).text.replace(/\s/g, ' ')).toContain(said)
})
