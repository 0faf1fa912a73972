import { getLocale, type Language } from '../domain/common/language.ts'
import { formatDay } from '../domain/common/month.ts'
import { getPaidAmount, type InvoicePayment, parseDueDay } from '../domain/invoices/invoice.ts'
import { findSupplier } from '../domain/invoices/suppliers.ts'
import { formatMoney } from '../domain/money/money.ts'
import { formatRate } from '../domain/money/rates.ts'
import { groupPhone, maskPhone } from '../domain/numbers/phone.ts'
import { getWalletName } from '../domain/numbers/wallets.ts'
import { getReceiptStatus } from '../domain/transfers/progress.ts'
import { mapSenderTexts } from '../domain/transfers/shapes/fields.ts'
import { getStatusColor, normalizeStatus, type StatusColor } from '../domain/transfers/status.ts'
import { describeTransfer, getAmounts, type Transaction } from '../domain/transfers/transaction.ts'
import {
  type Operator,
  RECEIPT_TEXTS,
  type ReceiptGroupName,
  type ReceiptItem,
  type ReceiptTexts,
} from './receiptTexts.ts'

export const PRODUCT_NAME = 'Passerelle'

export interface ReceiptLine {
  readonly item: ReceiptItem
  readonly label: string
  readonly value: string
  readonly emphasis?: true
}

export interface ReceiptGroup {
  readonly name: ReceiptGroupName
  readonly heading: string
  readonly lines: readonly ReceiptLine[]
}

export interface ReceiptTracking {
  readonly address: string
  readonly title: string
  readonly text: string
}

export interface ReceiptContent {
  readonly language: Language
  readonly transactionId: string
  readonly title: string
  readonly status: { readonly text: string; readonly color: StatusColor }
  readonly groups: readonly ReceiptGroup[]
  readonly support: string
  readonly operator: string
  /** Absent if the transfer has no tracking page. */
  readonly tracking?: ReceiptTracking
}

export interface ReceiptOptions {
  readonly language: Language
  readonly operator: Operator
  /** From `isKnownLate`. */
  readonly isLate: boolean
  /** Without it the receipt has no QR code. */
  readonly origin?: string
  /** Default: the device's. */
  readonly timeZone?: string
}

/**
 * A record with the facts that article 48 of PSD2 lists; the names stay those of the transfer. Received money
 * omits the sender and what they paid. Specification, sections 3 and 9.
 */
export function buildReceiptContent(
  transaction: Transaction,
  { language, operator, isLate, origin, timeZone }: ReceiptOptions,
): ReceiptContent {
  const words = RECEIPT_TEXTS[language]
  const { gross, fee, net, converted } = getAmounts(transaction)
  const { recipientPhone, receivingMethod, couponCode, sourceCurrency, destinationCurrency } = transaction
  const status = getReceiptStatus(transaction)
  const instant = createInstantFormat(language, timeZone)
  const rate = {
    from: sourceCurrency,
    to: destinationCurrency,
    numerator: Math.round(transaction.exchangeRate * 100),
    denominator: 100,
  }
  const description =
    transaction.description === describeTransfer(recipientPhone)
      ? words.transferTo(maskPhone(recipientPhone))
      : transaction.description

  const isReceived = transaction.type === 'received'
  // Without payouts a transfer has no delivery.
  const { stage, deliveredAt = null, proof = null } = transaction.delivery ?? {}
  const isExpected = stage === undefined || stage === 'ordered' || stage === 'handedOver'
  const group = createGroupBuilder(words, isReceived ? 'moneyReceived' : 'amountReceived')
  const date = instant.format(transaction.createdAt)
  const content = {
    language,
    transactionId: transaction.id,
    title: words.title,
    status: { text: words.status[status], color: getStatusColor(status) },
    support: words.support,
    operator: words.operator(operator),
  }
  if (isReceived)
    return {
      ...content,
      groups: [
        group('amounts', { moneyReceived: formatMoney(converted, language) }),
        group('payment', { description, date, transactionId: transaction.id }),
      ],
    }
  const tracking = origin ? buildTracking(transaction.recipientLink, origin, words) : null
  return {
    ...content,
    ...(tracking && { tracking }),
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
        ...mapSenderTexts((name) => transaction[name]),
        recipient: groupPhone(recipientPhone),
        country: words.countries[transaction.destination.code],
        wallet: getWalletName(receivingMethod),
        walletReference: proof,
      }),
      group('payment', {
        sender: transaction.senderName,
        paymentMethod: words.card,
        coupon: couponCode,
        description,
        date,
        transactionId: transaction.id,
      }),
    ],
  }
}

/** Only the supplier can confirm that it received the payment. Specification, sections 3 and 9. */
export function buildInvoiceReceiptContent(
  payment: InvoicePayment,
  { language, operator, timeZone }: Omit<ReceiptOptions, 'isLate' | 'origin'>,
): ReceiptContent {
  const words = RECEIPT_TEXTS[language]
  const status = normalizeStatus(payment.status)
  const instant = createInstantFormat(language, timeZone)
  const group = createGroupBuilder(words, 'amountPaid')
  return {
    language,
    transactionId: payment.id,
    title: words.invoiceTitle,
    status: { text: words.status[status], color: getStatusColor(status) },
    groups: [
      group('amounts', { amountPaid: formatMoney(getPaidAmount(payment), language) }),
      group('invoice', {
        supplier: findSupplier(payment.supplier)?.name ?? payment.supplier,
        invoiceType: words.invoiceTypes[payment.type],
        reference: payment.reference,
        dueDate: formatDay(parseDueDay(payment.dueDate), language),
      }),
      group('payment', {
        payer: payment.payerName,
        paymentMethod: words.card,
        date: instant.format(payment.createdAt),
        paymentId: payment.id,
      }),
    ],
    support: words.invoiceSupport,
    operator: words.operator(operator),
  }
}

/** Null if no payout provider was configured for the transfer. */
function buildTracking(link: string | null, origin: string, words: ReceiptTexts): ReceiptTracking | null {
  if (!link) return null
  const { href: address, host } = new URL(link, origin)
  return { address, title: words.trackingTitle, text: words.tracking(host) }
}

const createGroupBuilder =
  (words: ReceiptTexts, emphasised: ReceiptItem) =>
  (name: ReceiptGroupName, values: Readonly<Partial<Record<ReceiptItem, string | null>>>): ReceiptGroup => ({
    name,
    heading: words.headings[name],
    lines: (Object.keys(values) as ReceiptItem[]).flatMap((item) => {
      const value = toSafeLine(values[item] ?? '')
      if (value === '') return []
      const line = { item, label: words.labels[item], value }
      return item === emphasised ? { ...line, emphasis: true } : line
    }),
  })

/** `receipt-{transactionId}.pdf`, safe for any ID. Specification, section 9. */
export function buildReceiptFileName(transactionId: string, extension: 'pdf' | 'png' = 'pdf'): string {
  return `receipt-${transactionId.replace(/[^\w-]/g, '_')}.${extension}`
}

/** Names the time zone; default: the device's. */
export const createInstantFormat = (language: Language, timeZone?: string) =>
  new Intl.DateTimeFormat(getLocale(language), {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZoneName: 'short',
    timeZone,
  })

/** Characters. */
const MAX_VALUE_LENGTH = 100

/** Removes control characters, and invisible ones that could disguise a text. Some scripts need joiners. */
export function toSafeLine(text: string): string {
  const characters = Array.from(
    text
      .replace(/\p{Cs}/gu, '\ufffd')
      .normalize('NFC')
      .replace(/[\t\n\v\f\r\u0085\p{Zl}\p{Zp}]+/gu, ' ')
      .replace(/\p{Cc}|(?![\u200c\u200d])\p{Cf}/gu, '')
      .trim(),
  )
  return characters.length > MAX_VALUE_LENGTH
    ? `${characters.slice(0, MAX_VALUE_LENGTH - 1).join('')}…`
    : characters.join('')
}
