import type { CountryCode } from '../../../domain/destinations.ts'
import { dayOf, type InvoicePayment, paidAmountOf } from '../../../domain/invoice.ts'
import { type Language, localeOf } from '../../../domain/language.ts'
import { formatMoney } from '../../../domain/money.ts'
import { formatDay } from '../../../domain/month.ts'
import { groupPhone, maskPhone } from '../../../domain/phone.ts'
import { formatRate } from '../../../domain/rates.ts'
import { normaliseStatus, type Status, type StatusColour, statusColour } from '../../../domain/status.ts'
import { type InvoiceType, supplierById } from '../../../domain/suppliers.ts'
import { amountsOf, type Transaction, transferDescription } from '../../../domain/transaction.ts'
import { walletName } from '../../../domain/wallets.ts'

export const PRODUCT = 'Passerelle'

export type ReceiptGroupName = 'amounts' | 'recipient' | 'invoice' | 'payment'

export type ReceiptItem =
  | 'amountReceived'
  | 'moneyReceived'
  | 'amountPaid'
  | 'fees'
  | 'amountSent'
  | 'exchangeRate'
  | 'expectedBy'
  | 'late'
  | 'deliveredAt'
  | 'recipientName'
  | 'recipient'
  | 'country'
  | 'wallet'
  | 'walletReference'
  | 'sender'
  | 'paymentMethod'
  | 'coupon'
  | 'description'
  | 'date'
  | 'transactionId'
  | 'supplier'
  | 'invoiceType'
  | 'reference'
  | 'dueDate'
  | 'payer'
  | 'paymentId'

/** The texts of a receipt in one language. */
export interface ReceiptWords {
  readonly title: string
  readonly status: Readonly<Record<Status, string>>
  /** The status of money that the person received. */
  readonly received: string
  readonly headings: Readonly<Record<ReceiptGroupName, string>>
  readonly labels: Readonly<Record<ReceiptItem, string>>
  readonly countries: Readonly<Record<CountryCode, string>>
  readonly card: string
  /** In the place of a time that is over, or will be before the money is there. */
  readonly later: string
  /** What a transfer to this masked phone is called. */
  readonly transferTo: (maskedPhone: string) => string
  /** Where to ask, and the hours of the desk: weekdays 9h to 19h. */
  readonly support: string
  /** Who provides the service, and where a complaint goes. */
  readonly operator: string
  readonly invoiceTitle: string
  readonly invoiceTypes: Readonly<Record<InvoiceType, string>>
  readonly invoiceSupport: string
}

export interface ReceiptLine {
  readonly item: ReceiptItem
  readonly label: string
  readonly value: string
  /** The line a reader looks for first. */
  readonly emphasis?: true
}

export interface ReceiptGroup {
  readonly name: ReceiptGroupName
  readonly heading: string
  readonly lines: readonly ReceiptLine[]
}

/** The page that answers for a receipt. */
export interface ReceiptTracking {
  readonly address: string
  readonly title: string
  readonly text: string
}

/** Everything a receipt says, in the order in which it says it. */
export interface ReceiptContent {
  readonly language: Language
  readonly transactionId: string
  readonly title: string
  readonly status: { readonly text: string; readonly colour: StatusColour }
  readonly groups: readonly ReceiptGroup[]
  readonly support: string
  readonly operator: string
  /** Of a transfer that somebody pays out. */
  readonly tracking?: ReceiptTracking
}

export interface ReceiptReader {
  readonly senderName: string
  /** What the person calls the recipient, where they do. */
  readonly recipientName?: string | undefined
  readonly language: Language
  readonly words: ReceiptWords
  /** Whether it is known that the money comes later than it was expected (`isLater`). */
  readonly isLate: boolean
  /** The device's own when left out. */
  readonly timeZone?: string
}

/**
 * What the receipt of a transfer says, on the screen and in the PDF alike. The arrival is what is expected, until whoever pays out has
 * said that the recipient has the money: then it says when, and what the wallet shows. What comes later than it was expected keeps no time. It has what article 48 of PSD2 lists. Of money that the person received it says what came: who sent it, and what they paid, is not the person's.
 * Specification, sections 3 and 9.
 */
export function receiptContent(
  transaction: Transaction,
  { senderName, recipientName = '', language, words, isLate, timeZone }: ReceiptReader,
): ReceiptContent {
  const { gross, fee, net, converted } = amountsOf(transaction)
  const { recipientPhone, receivingMethod, couponCode, sourceCurrency, destinationCurrency } = transaction
  const status = normaliseStatus(transaction.status)
  const instant = new Intl.DateTimeFormat(localeOf(language), { ...INSTANT, timeZone })
  const rate = {
    from: sourceCurrency,
    to: destinationCurrency,
    numerator: Math.round(transaction.exchangeRate * 100),
    denominator: 100,
  }
  const description =
    transaction.description === transferDescription(recipientPhone)
      ? words.transferTo(maskPhone(recipientPhone))
      : transaction.description

  const isReceived = transaction.type === 'received'
  // A row that the device kept from before has none.
  const { stage, deliveredAt = null, proof = null } = transaction.delivery ?? {}
  const isExpected = stage === undefined || stage === 'ordered' || stage === 'handedOver'
  const group = groupsIn(words, isReceived ? 'moneyReceived' : 'amountReceived')
  const date = instant.format(transaction.createdAt)
  const content = {
    language,
    transactionId: transaction.id,
    title: words.title,
    status: {
      text: isReceived && status === 'completed' ? words.received : words.status[status],
      colour: statusColour(status),
    },
    support: words.support,
    operator: words.operator,
  }
  if (isReceived)
    return {
      ...content,
      groups: [
        group('amounts', { moneyReceived: formatMoney(converted, language) }),
        group('payment', { description, date, transactionId: transaction.id }),
      ],
    }
  return {
    ...content,
    groups: [
      group('amounts', {
        amountReceived: formatMoney(converted, language),
        amountPaid: formatMoney(gross, language),
        fees: formatMoney(fee, language),
        amountSent: formatMoney(net, language),
        exchangeRate: formatRate(rate, language),
        expectedBy: isExpected && !isLate ? instant.format(transaction.estimatedArrival) : null,
        late: isLate ? words.later : null,
        deliveredAt: deliveredAt === null ? null : instant.format(deliveredAt),
      }),
      group('recipient', {
        recipientName,
        recipient: groupPhone(recipientPhone),
        country: words.countries[transaction.destination.code],
        wallet: walletName(receivingMethod),
        walletReference: proof,
      }),
      group('payment', {
        sender: senderName,
        paymentMethod: words.card,
        coupon: couponCode,
        description,
        date,
        transactionId: transaction.id,
      }),
    ],
  }
}

/**
 * What the receipt of an invoice says: that it was paid by card, when and by whom. Only the supplier can say that it has received the
 * payment. Specification, sections 3 and 9.
 */
export function invoiceReceiptContent(
  payment: InvoicePayment,
  { senderName, language, words, timeZone }: Omit<ReceiptReader, 'isLate'>,
): ReceiptContent {
  const status = normaliseStatus(payment.status)
  const instant = new Intl.DateTimeFormat(localeOf(language), { ...INSTANT, timeZone })
  const group = groupsIn(words, 'amountPaid')
  return {
    language,
    transactionId: payment.id,
    title: words.invoiceTitle,
    status: { text: words.status[status], colour: statusColour(status) },
    groups: [
      group('amounts', { amountPaid: formatMoney(paidAmountOf(payment), language) }),
      group('invoice', {
        supplier: supplierById(payment.supplier)?.name ?? payment.supplier,
        invoiceType: words.invoiceTypes[payment.type],
        reference: payment.reference,
        dueDate: formatDay(dayOf(payment.dueDate), language),
      }),
      group('payment', {
        payer: senderName,
        paymentMethod: words.card,
        date: instant.format(payment.createdAt),
        paymentId: payment.id,
      }),
    ],
    support: words.invoiceSupport,
    operator: words.operator,
  }
}

const groupsIn =
  (words: ReceiptWords, emphasised: ReceiptItem) =>
  (name: ReceiptGroupName, values: Readonly<Partial<Record<ReceiptItem, string | null>>>): ReceiptGroup => ({
    name,
    heading: words.headings[name],
    lines: (Object.keys(values) as ReceiptItem[]).flatMap((item) => {
      const value = plainText(values[item] ?? '')
      if (value === '') return []
      const line = { item, label: words.labels[item], value }
      return item === emphasised ? { ...line, emphasis: true } : line
    }),
  })

/** Where the receipt is saved: `receipt-{transactionId}.pdf`, whatever an id contains. Specification, section 9. */
export function receiptFileName(transactionId: string, extension: 'pdf' | 'png' = 'pdf'): string {
  return `receipt-${transactionId.replace(/[^\w-]/g, '_')}.${extension}`
}

const INSTANT = {
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  timeZoneName: 'short',
} as const

/** As long as a name may be. */
const LONGEST = 100

/**
 * A name or reference as harmless text of one line: no control characters, and nothing invisible that could make it
 * read as another one (direction marks), but for the joiners that some scripts are written with.
 */
function plainText(text: string): string {
  const characters = Array.from(
    text
      .toWellFormed()
      .normalize('NFC')
      .replace(/[\t\n\v\f\r\u0085\p{Zl}\p{Zp}]+/gu, ' ')
      .replace(/\p{Cc}|(?![\u200c\u200d])\p{Cf}/gu, '')
      .trim(),
  )
  return characters.length > LONGEST ? `${characters.slice(0, LONGEST - 1).join('')}…` : characters.join('')
}
