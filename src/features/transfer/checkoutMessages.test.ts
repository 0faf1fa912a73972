import { i18n } from '@lingui/core'
import { beforeAll, expect, test } from 'vitest'
import type { Language } from '../../../domain/language.ts'
import type { SourceCurrency } from '../../../domain/money.ts'
import { load, loadSignedIn } from '../../ui/i18n.ts'
import { checkoutText } from './checkoutMessages.ts'

beforeAll(loadSignedIn)

const RESETS_AT = Date.UTC(2026, 11, 1)

test.each<[SourceCurrency, Language, string]>([
  ['EUR', 'fr', 'Vous pouvez envoyer 1 000 € par mois. Il vous reste 50,00 €'],
  ['EUR', 'en', 'You can send €1,000 a month. You have €50.00 left'],
  ['CAD', 'fr', 'Vous pouvez envoyer 1 000 € (1 666,67 $CA) par mois. Il vous reste 83,34 $CA'],
  ['CAD', 'en', 'You can send €1,000 (CA$1,666.67) a month. You have CA$83.34 left'],
])('the cap is told in %s, which is what one sends (%s)', async (currency, language, said) => {
  await load(language)
  const problem = { kind: 'monthlyCapExceeded', leftCents: 5_000, resetsAt: RESETS_AT } as const
  expect(checkoutText(problem, i18n, currency).text.replace(/\s/g, ' ')).toContain(said)
})
