import fc from 'fast-check'
import { expect, test } from 'vitest'
import { DELIVERED, HANDED_OVER } from '../../../domain/transaction.samples.ts'
import { ENGLISH, FRENCH, PAID_INVOICE, TRANSFER } from './receipt.samples.ts'
import {
  invoiceReceiptContent,
  type ReceiptContent,
  receiptContent,
  receiptFileName,
} from './receiptContent.ts'

const reader = {
  senderName: 'Aïssatou Bâ',
  language: 'fr',
  words: FRENCH,
  isLate: false,
  timeZone: 'Europe/Paris',
} as const

const valuesOf = ({ groups }: ReceiptContent) =>
  Object.fromEntries(groups.flatMap(({ lines }) => lines.map(({ item, value }) => [item, spaced(value)])))

test('a French receipt', () => {
  const content = receiptContent(TRANSFER, reader)
  expect(valuesOf(content)).toEqual({
    amountReceived: '1 028 200 GNF',
    amountPaid: '100,00 €',
    fees: '3,00 €',
    amountSent: '97,00 €',
    exchangeRate: '1 EUR = 10 600 GNF',
    expectedBy: '20 novembre 2026 à 16:05 UTC+1',
    recipient: '+224 620 00 00 00',
    country: 'Guinée',
    wallet: 'Orange Money',
    sender: 'Aïssatou Bâ',
    paymentMethod: 'Carte bancaire',
    coupon: 'MERCI-2026',
    description: 'Transfert → +224*******00',
    date: '20 novembre 2026 à 15:05 UTC+1',
    transactionId: 'pi_3QxYzA1b2C3d4E5f',
  })
  expect(content.status).toEqual({ text: 'Payé', colour: 'green' })
  expect(content.groups.map(({ heading }) => heading)).toEqual([
    'Détail du montant',
    'Bénéficiaire',
    'Paiement',
  ])
})

test('the receipt of a transfer that arrived says when, and what the wallet shows', () => {
  const content = receiptContent({ ...TRANSFER, delivery: DELIVERED }, reader)
  const values = valuesOf(content)
  expect(values).toMatchObject({
    deliveredAt: '20 novembre 2026 à 15:07 UTC+1',
    wallet: 'Orange Money',
    walletReference: '363440463',
  })
  // What was expected is past.
  expect(values.expectedBy).toBeUndefined()
  expect(content.status).toEqual({ text: 'Payé', colour: 'green' })
})

test('without a reference of the wallet there is no line for it, and one with hidden marks is harmless', () => {
  const of = (proof: string | null) =>
    valuesOf(receiptContent({ ...TRANSFER, delivery: { ...DELIVERED, proof } }, reader)).walletReference
  expect(of(null)).toBeUndefined()
  expect(of('PP26\u202e11\n23')).toBe('PP2611 23')
})

test.each([
  ['ordered', true],
  ['handedOver', true],
  ['failed', false],
  ['paidBack', false],
] as const)('a transfer that is %s has not arrived; its arrival is expected: %s', (stage, isExpected) => {
  const delivery = { ...HANDED_OVER, stage }
  const values = valuesOf(receiptContent({ ...TRANSFER, delivery }, reader))
  expect(values.deliveredAt).toBeUndefined()
  expect(values.walletReference).toBeUndefined()
  expect('expectedBy' in values).toBe(isExpected)
})

test('a transfer that comes later than it was expected keeps no time', () => {
  const values = valuesOf(receiptContent({ ...TRANSFER, delivery: HANDED_OVER }, { ...reader, isLate: true }))
  expect(values.late).toBe('Plus tard que prévu')
  expect(values.expectedBy).toBeUndefined()
})

test('the receipt of money that the person received says nothing of a delivery', () => {
  const values = valuesOf(receiptContent({ ...TRANSFER, type: 'received', delivery: DELIVERED }, reader))
  expect(Object.keys(values)).not.toContain('deliveredAt')
  expect(Object.keys(values)).not.toContain('walletReference')
})

test('a receipt names the recipient where the device knows them, and who provides the service', () => {
  const content = receiptContent(TRANSFER, { ...reader, recipientName: 'Mariama Bah' })
  expect(valuesOf(content)).toMatchObject({ recipientName: 'Mariama Bah', recipient: '+224 620 00 00 00' })
  expect(content.operator).toContain('établissement de paiement 00000')
  expect(invoiceReceiptContent(PAID_INVOICE, reader).operator).toContain('Réclamations')
})

test('the receipt of money that the person received says neither who paid nor what they paid', () => {
  const content = receiptContent({ ...TRANSFER, type: 'received' }, reader)
  expect(valuesOf(content)).toEqual({
    moneyReceived: '1 028 200 GNF',
    description: 'Transfert → +224*******00',
    date: '20 novembre 2026 à 15:05 UTC+1',
    transactionId: 'pi_3QxYzA1b2C3d4E5f',
  })
  expect(content.status).toEqual({ text: 'Reçu', colour: 'green' })
  expect(receiptContent({ ...TRANSFER, type: 'received', status: 'failed' }, reader).status.text).toBe(
    'Échoué',
  )
})

test('an English receipt of a transfer from Canada, without wallet and coupon', () => {
  const transfer = {
    ...TRANSFER,
    recipientPhone: '+33612345678',
    amount: 48.5,
    fees: 1.5,
    exchangeRate: 0.6,
    convertedAmount: 29.1,
    sourceCurrency: 'CAD',
    destinationCurrency: 'EUR',
    destination: { code: 'FR', name: 'France', currency: 'EUR', flag: '🇫🇷' },
    status: 'processing',
    description: 'Birthday',
    couponCode: null,
    receivingMethod: null,
  } as const
  const content = receiptContent(transfer, {
    ...reader,
    language: 'en',
    words: ENGLISH,
    timeZone: 'America/Toronto',
  })
  expect(valuesOf(content)).toEqual({
    amountReceived: '€29.10',
    amountPaid: 'CA$50.00',
    fees: 'CA$1.50',
    amountSent: 'CA$48.50',
    exchangeRate: 'CAD 1 = EUR 0.60',
    expectedBy: '20 November 2026 at 10:05 GMT-5',
    recipient: '+33 6 12 34 56 78',
    country: 'France',
    sender: 'Aïssatou Bâ',
    paymentMethod: 'Card',
    description: 'Birthday',
    date: '20 November 2026 at 09:05 GMT-5',
    transactionId: 'pi_3QxYzA1b2C3d4E5f',
  })
  expect(content.status).toEqual({ text: 'Pending', colour: 'yellow' })
})

test('the receipt of an invoice', () => {
  const content = invoiceReceiptContent(PAID_INVOICE, reader)
  expect(content.title).toBe('Reçu de facture')
  expect(valuesOf(content)).toEqual({
    amountPaid: '450 000 GNF',
    supplier: 'Électricité de Guinée (EDG)',
    invoiceType: 'Électricité',
    reference: 'EDG-2026-0417',
    dueDate: '1er décembre 2026',
    payer: 'Aïssatou Bâ',
    paymentMethod: 'Carte bancaire',
    date: '20 novembre 2026 à 15:05 UTC+1',
    paymentId: 'pi_3QxYzInvoice',
  })
  expect(content.status).toEqual({ text: 'Payé', colour: 'green' })
  const lines = content.groups.flatMap((group) => group.lines)
  expect(lines.filter(({ emphasis }) => emphasis).map(({ item }) => item)).toEqual(['amountPaid'])
})

test('the receipt of an invoice of a supplier that is no more', () => {
  const values = valuesOf(
    invoiceReceiptContent(
      { ...PAID_INVOICE, supplier: 'gone', amount: 84.5, currency: 'EUR' },
      { ...reader, language: 'en', words: ENGLISH },
    ),
  )
  expect(values).toMatchObject({ supplier: 'gone', amountPaid: '€84.50', dueDate: '1 December 2026' })
})

test('only the amount received is emphasised', () => {
  const lines = receiptContent(TRANSFER, reader).groups.flatMap((group) => group.lines)
  expect(lines.filter(({ emphasis }) => emphasis).map(({ item }) => item)).toEqual(['amountReceived'])
})

test.each([
  ['direction marks', 'Ana\u202eeiraM\u202c', 'AnaeiraM'],
  ['isolates', '\u2066Ana\u2069\u200f', 'Ana'],
  ['control characters', 'A\u0000n\u001ba', 'Ana'],
  ['line breaks', 'Ana\r\nMarie\u2028Bah', 'Ana Marie Bah'],
  ['accents typed as marks', 'Zoe\u0308', 'Zoë'],
  ['half a character', 'Ana\ud83d', 'Ana\ufffd'],
  ['joiners', 'م\u200cن', 'م\u200cن'],
  ['markup', '<b>Ana</b> &amp; )Tj', '<b>Ana</b> &amp; )Tj'],
  ['an endless name', 'é'.repeat(500), `${'é'.repeat(99)}…`],
])('a name with %s', (_, senderName, shown) => {
  expect(valuesOf(receiptContent(TRANSFER, { ...reader, senderName })).sender).toBe(shown)
})

test('no value holds what could make it read as another one', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (senderName, description) => {
      const { sender = '', description: shown = '' } = valuesOf(
        receiptContent({ ...TRANSFER, description }, { ...reader, senderName }),
      )
      expect(`${sender}${shown}`).not.toMatch(/[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]/u)
    }),
  )
})

test.each([
  ['pi_3QxYz-A1', 'receipt-pi_3QxYz-A1.pdf'],
  ['../a b/\u202efdp.exe', 'receipt-___a_b__fdp_exe.pdf'],
])('the file of %s @spec-receipt-file', (id, name) => {
  expect(receiptFileName(id)).toBe(name)
})

function spaced(text: string) {
  return text.replace(/[\u00a0\u202f]/g, ' ')
}
