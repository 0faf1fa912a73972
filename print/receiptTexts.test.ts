import { expect, test } from 'vitest'
import { insertFrenchSpaces } from '../build/typography.ts'
import { getText, setTestLanguage } from '../e2e/texts.ts'
import { SAMPLE_OPERATOR } from './receipt.samples.ts'
import { RECEIPT_TEXTS, type ReceiptTexts } from './receiptTexts.ts'

/** The screen shows these too, by their ID in the catalogs. */
const listSharedNames = ({ status, later, countries, invoiceTypes }: ReceiptTexts) =>
  [status, countries, invoiceTypes].flatMap((names) => Object.values(names)).concat(later)

test.each(['fr', 'en'] as const)(
  'in %s, a receipt uses the screen’s names of statuses and countries',
  (language) => {
    setTestLanguage(language)
    expect(listSharedNames(RECEIPT_TEXTS[language])).toEqual(
      listSharedNames(RECEIPT_TEXTS.fr).map((id) => getText(id)),
    )
  },
)

test('a receipt’s French texts have the app’s no-break spaces', () => {
  const { operator, tracking, transferTo, ...texts } = RECEIPT_TEXTS.fr
  const made = [operator(SAMPLE_OPERATOR), tracking('passerelle.example'), transferTo('+224*******00')]
  const all = JSON.stringify([texts, made])
  expect(all).toBe(insertFrenchSpaces(all.replace(/[\u00a0\u202f]/g, ' ')))
})
