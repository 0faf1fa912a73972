import type { FunctionRequest, FunctionResponse } from '../../../domain/api/api.ts'
import { DAY, MINUTE } from '../../../domain/common/duration.ts'
import type { Language } from '../../../domain/common/language.ts'
import { err, ok, type Result } from '../../../domain/common/result.ts'
import { buildTimeline, isKnownLate } from '../../../domain/transfers/timeline.ts'
import {
  buildInvoiceReceiptContent,
  buildReceiptContent,
  buildReceiptFileName,
  PRODUCT_NAME,
  type ReceiptContent,
  type ReceiptOptions,
} from '../../../print/receiptContent.ts'
import { createReceiptPdf } from '../../../print/receiptPdf.ts'
import type { Caller } from '../platform/caller.ts'
import type { Context } from '../platform/context.ts'
import { parseInvoicePayment, parseTransaction } from '../platform/documents.ts'
import type { Mail, SendMail } from '../platform/mailer.ts'
import { consumeRateLimits, type RateLimit, rateLimitRef } from '../platform/rateLimits.ts'
import { invoicePayments, transactions } from '../platform/records.ts'
import { buildRefusal, buildTooManyRequestsRefusal, type FunctionRefusal } from '../platform/refusals.ts'
import type { MailSettings } from '../platform/settings.ts'

const MAX_TRIES = 3

const PRESS: RateLimit = { name: 'mailed-receipt', most: 1, windowMs: DAY }
const SENT: RateLimit = { ...PRESS, name: 'mailed-receipt/sent' }
const FAILED: RateLimit = { ...PRESS, name: 'mailed-receipt/failed' }

/** The host has ended a function by then. */
const ENDED_AFTER = MINUTE

/**
 * A repeated request gets the outcome of the first one, or has to wait for it.
 * @throws Firestore's error or that of the sign-in service; calling again is safe.
 */
export const createReceiptMailing =
  (createMailer: (settings: MailSettings) => SendMail) =>
  async (
    context: Context,
    { uid }: Caller,
    { id, press, language, timeZone }: FunctionRequest<'mail-receipt'>,
    origin: string,
  ): Promise<Result<FunctionResponse<'mail-receipt'>, FunctionRefusal<'mail-receipt'>>> => {
    const { db, mail: settings, accounts, pseudonym, log } = context
    const payment = await readPayment(context, id)
    if (!payment) return err(buildRefusal('paymentNotFound'))
    if (payment.payerId !== uid) return err(buildRefusal('forbidden'))
    if (!settings) return err(buildRefusal('mailUnavailable'))
    // The token's address may be an hour old.
    const address = (await accounts.find(uid))?.verifiedAddress
    if (!address) return err(buildRefusal('emailUnverified'))
    const of = `${uid}:${press}`
    const first = await consumeRateLimits(context, [{ limit: PRESS, of }])
    if (!first.ok) {
      const [sent, failed] = await db.getAll(
        ...[SENT, FAILED].map((limit) => rateLimitRef(context, { limit, of })),
      )
      if (sent?.exists) return ok({ address })
      const waitMs = first.error.waitMs - PRESS.windowMs + ENDED_AFTER
      if (failed?.exists || waitMs <= 0) return err(buildRefusal('mailNotSent'))
      return err(buildTooManyRequestsRefusal(waitMs))
    }

    const { operator } = settings
    const options = { language, operator, origin, timeZone: toKnownTimeZone(timeZone) }
    const content = payment.buildContent(options)
    const pdf = await (await createReceiptPdf(content)).arrayBuffer()
    const mail: Mail = {
      to: address,
      ...TEXTS[language](content),
      messageId: pseudonym(of),
      attachment: { name: buildReceiptFileName(id), type: 'application/pdf', content: new Uint8Array(pdf) },
    }
    const failure = await sendWithRetries(createMailer(settings), mail)
    await consumeRateLimits(context, [{ limit: failure === null ? SENT : FAILED, of }])
    if (failure === null) return ok({ address })
    log({ level: 'error', event: 'mailNotSent', paymentIntentId: id, code: failure })
    return err(buildRefusal('mailNotSent'))
  }

type ContentOptions = Omit<ReceiptOptions, 'isLate'>

async function readPayment({ db, now }: Pick<Context, 'db' | 'now'>, id: string) {
  const [transfer, invoice] = await db.getAll(transactions(db).doc(id), invoicePayments(db).doc(id))
  if (transfer?.exists) {
    const transaction = parseTransaction(transfer.data())
    const isLate = isKnownLate(buildTimeline(transaction, now()))
    return {
      payerId: transaction.senderId,
      buildContent: (options: ContentOptions) => buildReceiptContent(transaction, { ...options, isLate }),
    }
  }
  if (!invoice?.exists) return null
  const invoicePayment = parseInvoicePayment(invoice.data())
  return {
    payerId: invoicePayment.payerId,
    buildContent: (options: ContentOptions) => buildInvoiceReceiptContent(invoicePayment, options),
  }
}

function toKnownTimeZone(timeZone: string): string {
  try {
    return new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone
  } catch {
    return 'UTC'
  }
}

/** Returns null once the mail is accepted, or else why the last try failed. */
async function sendWithRetries(send: SendMail, mail: Mail): Promise<string | number | null> {
  for (let left = MAX_TRIES - 1; ; left -= 1) {
    const sent = await send(mail)
    if (sent.ok) return null
    if (left === 0 || sent.error.isFinal) return sent.error.code ?? 'unknown'
  }
}

// The app's catalogs are only for the browser. The French texts contain their own no-break spaces.
const TEXTS: Readonly<Record<Language, (receipt: ReceiptContent) => Pick<Mail, 'subject' | 'text'>>> = {
  fr: ({ title, transactionId }) => ({
    subject: `${PRODUCT_NAME}\u00a0: ${title}`,
    text: `Bonjour,

Le reçu de votre paiement ${transactionId} est joint à ce message, en PDF. Vous l’avez demandé dans l’application.

L’application montre toujours où en est un transfert.

${PRODUCT_NAME}
`,
  }),
  en: ({ title, transactionId }) => ({
    subject: `${PRODUCT_NAME}: ${title}`,
    text: `Hello,

The receipt of your payment ${transactionId} is attached as a PDF. You asked for it in the app.

The app always shows the status of a transfer.

${PRODUCT_NAME}
`,
  }),
}
