import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ARRIVED_DELIVERY, HANDED_OVER_DELIVERY } from '../domain/transfers/transaction.samples.ts'
import { SAMPLE_INVOICE_PAYMENT, SAMPLE_OPERATOR, SAMPLE_TRANSFER } from './receipt.samples.ts'
import {
  buildInvoiceReceiptContent,
  buildReceiptContent,
  buildReceiptFileName,
  type ReceiptContent,
} from './receiptContent.ts'

const reader = {
  language: 'fr',
  operator: SAMPLE_OPERATOR,
  isLate: false,
  timeZone: 'Europe/Paris',
} as const

const listValues = ({ groups }: ReceiptContent) =>
  Object.fromEntries(groups.flatMap(({ lines }) => lines.map(({ item, value }) => [item, spaced(value)])))

test('a French receipt shows every value of the transfer in French', () => {
  const content = buildReceiptContent(SAMPLE_TRANSFER, reader)
  expect(listValues(content)).toEqual({
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
    description: 'Transfert vers +224*******00',
    date: '20 novembre 2026 à 15:05 UTC+1',
    transactionId: 'pi_3QxYzA1b2C3d4E5f',
  })
  expect(content.status).toEqual({ text: 'Payé', color: 'green' })
  expect(content.groups.map(({ heading }) => heading)).toEqual(['Montants', 'Bénéficiaire', 'Paiement'])
})

test('a delivered transfer’s receipt shows delivery time and wallet reference', () => {
  const content = buildReceiptContent({ ...SAMPLE_TRANSFER, delivery: ARRIVED_DELIVERY }, reader)
  const values = listValues(content)
  expect(values).toMatchObject({
    deliveredAt: '20 novembre 2026 à 15:07 UTC+1',
    wallet: 'Orange Money',
    walletReference: '363440463',
  })
  // A delivered transfer has no expected time.
  expect(values.expectedBy).toBeUndefined()
  expect(content.status).toEqual({ text: 'Payé', color: 'green' })
})

test('a receipt omits a missing wallet reference and strips invisible characters', () => {
  const of = (proof: string | null) =>
    listValues(buildReceiptContent({ ...SAMPLE_TRANSFER, delivery: { ...ARRIVED_DELIVERY, proof } }, reader))
      .walletReference
  expect(of(null)).toBeUndefined()
  expect(of('PP26\u202e11\n23')).toBe('PP2611 23')
})

test.each([
  ['ordered', 'shows'],
  ['handedOver', 'shows'],
  ['failed', 'omits'],
  ['canceled', 'omits'],
  ['paidBack', 'omits'],
] as const)('in stage %s a receipt has no delivery time and %s', (stage, verb) => {
  const delivery = { ...HANDED_OVER_DELIVERY, stage }
  const values = listValues(buildReceiptContent({ ...SAMPLE_TRANSFER, delivery }, reader))
  expect(values.deliveredAt).toBeUndefined()
  expect(values.walletReference).toBeUndefined()
  expect('expectedBy' in values).toBe(verb === 'shows')
})

test.each([
  ['failed', 'failed', null, 'Remboursement en cours'],
  ['canceled', 'canceled', 1, 'Annulé, à rembourser'],
  ['canceled', 'paidBack', 1, 'Annulé et remboursé'],
  ['failed', 'paidBack', null, 'Remboursé'],
] as const)(
  'a %s transfer in stage %s, canceled at %s, has the status “%s”',
  (status, stage, canceledAt, text) => {
    const delivery = { ...HANDED_OVER_DELIVERY, stage, canceledAt }
    expect(buildReceiptContent({ ...SAMPLE_TRANSFER, status, delivery }, reader).status.text).toBe(text)
  },
)

test('a late transfer’s receipt says late instead of an expected time', () => {
  const values = listValues(
    buildReceiptContent({ ...SAMPLE_TRANSFER, delivery: HANDED_OVER_DELIVERY }, { ...reader, isLate: true }),
  )
  expect(values.late).toBe('Plus tard que prévu')
  expect(values.expectedBy).toBeUndefined()
})

test('the receipt of received money shows no delivery time or wallet reference', () => {
  const values = listValues(
    buildReceiptContent({ ...SAMPLE_TRANSFER, type: 'received', delivery: ARRIVED_DELIVERY }, reader),
  )
  expect(Object.keys(values)).not.toContain('deliveredAt')
  expect(Object.keys(values)).not.toContain('walletReference')
})

test('a receipt shows the stored recipient’s name and the operator', () => {
  const content = buildReceiptContent({ ...SAMPLE_TRANSFER, recipientName: 'Mariama Bah' }, reader)
  expect(listValues(content)).toMatchObject({ recipientName: 'Mariama Bah', recipient: '+224 620 00 00 00' })
  expect(content.operator).toContain('établissement de paiement 00000')
  expect(buildInvoiceReceiptContent(SAMPLE_INVOICE_PAYMENT, reader).operator).toContain('Réclamations')
})

test('the receipt of received money contains neither the payer nor the price', () => {
  const content = buildReceiptContent({ ...SAMPLE_TRANSFER, type: 'received' }, reader)
  expect(listValues(content)).toEqual({
    moneyReceived: '1 028 200 GNF',
    description: 'Transfert vers +224*******00',
    date: '20 novembre 2026 à 15:05 UTC+1',
    transactionId: 'pi_3QxYzA1b2C3d4E5f',
  })
  expect(content.status).toEqual({ text: 'Reçu', color: 'green' })
  expect(
    buildReceiptContent({ ...SAMPLE_TRANSFER, type: 'received', status: 'failed' }, reader).status.text,
  ).toBe('Échoué')
})

test('an English receipt shows Canada, and omits missing wallet and coupon', () => {
  const transfer = {
    ...SAMPLE_TRANSFER,
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
  const content = buildReceiptContent(transfer, {
    ...reader,
    language: 'en',
    timeZone: 'America/Toronto',
  })
  expect(listValues(content)).toEqual({
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
  expect(content.status).toEqual({ text: 'Pending', color: 'yellow' })
})

test('an invoice’s receipt shows supplier, reference, amount, due date and payer', () => {
  const content = buildInvoiceReceiptContent(SAMPLE_INVOICE_PAYMENT, reader)
  expect(content.title).toBe('Reçu de facture')
  expect(listValues(content)).toEqual({
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
  expect(content.status).toEqual({ text: 'Payé', color: 'green' })
  const lines = content.groups.flatMap((group) => group.lines)
  expect(lines.filter(({ emphasis }) => emphasis).map(({ item }) => item)).toEqual(['amountPaid'])
})

test('an invoice’s receipt shows the ID of a removed supplier', () => {
  const values = listValues(
    buildInvoiceReceiptContent(
      { ...SAMPLE_INVOICE_PAYMENT, supplier: 'gone', amount: 84.5, currency: 'EUR' },
      { ...reader, language: 'en' },
    ),
  )
  expect(values).toMatchObject({ supplier: 'gone', amountPaid: '€84.50', dueDate: '1 December 2026' })
})

test('a transfer’s receipt emphasizes only the amount to receive', () => {
  const lines = buildReceiptContent(SAMPLE_TRANSFER, reader).groups.flatMap((group) => group.lines)
  expect(lines.filter(({ emphasis }) => emphasis).map(({ item }) => item)).toEqual(['amountReceived'])
})

test.each([
  ['direction marks', 'Ana\u202eeiraM\u202c', 'AnaeiraM'],
  ['isolates', '\u2066Ana\u2069\u200f', 'Ana'],
  ['control characters', 'A\u0000n\u001ba', 'Ana'],
  ['line breaks', 'Ana\r\nMarie\u2028Bah', 'Ana Marie Bah'],
  ['combining accents', 'Zoe\u0308', 'Zoë'],
  ['a lone surrogate', 'Ana\ud83d', 'Ana\ufffd'],
  ['joiners', 'م\u200cن', 'م\u200cن'],
  ['markup', '<b>Ana</b> &amp; )Tj', '<b>Ana</b> &amp; )Tj'],
  ['500 characters', 'é'.repeat(500), `${'é'.repeat(99)}…`],
])('a receipt shows a sender’s name with %s as one line', (_, senderName, shown) => {
  expect(listValues(buildReceiptContent({ ...SAMPLE_TRANSFER, senderName }, reader)).sender).toBe(shown)
})

test('a receipt shows names and descriptions without control or direction characters', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (senderName, description) => {
      const { sender = '', description: shown = '' } = listValues(
        buildReceiptContent({ ...SAMPLE_TRANSFER, description, senderName }, reader),
      )
      expect(`${sender}${shown}`).not.toMatch(/[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]/u)
    }),
  )
})

test.each([
  ['pi_3QxYz-A1', 'receipt-pi_3QxYz-A1.pdf'],
  ['../a b/\u202efdp.exe', 'receipt-___a_b__fdp_exe.pdf'],
])('the receipt of %s has the safe file name %s @spec-receipt-file', (id, name) => {
  expect(buildReceiptFileName(id)).toBe(name)
})

function spaced(text: string) {
  return text.replace(/[\u00a0\u202f]/g, ' ')
}
