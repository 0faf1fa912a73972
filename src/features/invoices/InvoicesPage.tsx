import { Trans, useLingui } from '@lingui/react/macro'
import { useSelector } from '@xstate/react'
import { type ReactNode, Suspense, useEffect } from 'react'
import type { Invoice, InvoiceDraft } from '../../../domain/invoice.ts'
import { formatMoney } from '../../../domain/money.ts'
import { INVOICE_TYPES, supplierById } from '../../../domain/suppliers.ts'
import { invoice as invoiceLogic } from '../../actors/invoice.ts'
import { keepForm, keptForm, textOf } from '../../browser/keptForms.ts'
import { serverNow } from '../../browser/serverTime.ts'
import type { KeptInvoicePayment } from '../../cache/database.ts'
import { useActorRef } from '../../inspection/useActorRef.ts'
import { askToKeep } from '../../pwa/keeping.ts'
import { currentLanguage } from '../../ui/i18n.ts'
import { Notice } from '../../ui/Notice.tsx'
import { CheckoutSheets } from '../../ui/payment/CheckoutSheets.tsx'
import type { RecapLine } from '../../ui/payment/PaymentSheet.tsx'
import { useCheckout } from '../../ui/payment/useCheckout.ts'
import { useFocusBack } from '../../ui/useFocusBack.ts'
import { InvoiceCard } from './InvoiceCard.tsx'
import { InvoiceForm } from './InvoiceForm.tsx'
import classes from './InvoicesPage.module.css'
import { invoiceText } from './invoiceMessages.ts'
import { PaidInvoices } from './PaidInvoices.tsx'

/** After these problems the invoice is no longer as the screen shows it. */
const OUTDATED: readonly string[] = [
  'invoiceNotFound',
  'invoiceAlreadyPaid',
  'invoiceSeemsPaid',
  'invoiceUnderWay',
  'invoiceChanged',
]

/** Leads from a supplier and a reference to a paid invoice, and lists those that were paid before. Specification, section 2. */
export function InvoicesPage({
  uid,
  receiptOf,
}: {
  uid: string
  /** Draws the receipt of an invoice. `isNew`: it was paid just now. */
  receiptOf: (payment: KeptInvoicePayment, isNew: boolean, onClose: () => void) => ReactNode
}) {
  const { i18n } = useLingui()
  const actor = useActorRef(invoiceLogic, {
    input: { profile: { uid }, isOnline: navigator.onLine, at: serverNow() },
  })
  const state = useSelector(actor, (snapshot) => snapshot)
  const { draft, problem, attempt, payment, receipt } = state.context

  useEffect(() => {
    const kept = keptInvoice(uid)
    if (kept) actor.send({ type: 'draft.restore', draft: kept })
    return () => keepForm('invoice', uid, null)
  }, [actor, uid])
  const { type, supplier, reference } = draft
  // An invoice that is being paid is kept with its attempt.
  const isKept = attempt === null && (type !== null || supplier !== '' || reference !== '')
  useEffect(
    () => keepForm('invoice', uid, isKept ? { type, supplier, reference } : null),
    [uid, isKept, type, supplier, reference],
  )

  useCheckout(state, actor.send)
  const noteFocus = useFocusBack(state.hasTag('paying'))

  const closeReceipt = () => {
    actor.send({ type: 'receipt.close' })
    askToKeep()
  }

  const isChecking = state.matches('checkingOutcome')
  const isOutdated = problem !== null && OUTDATED.includes(problem.kind)
  const isInDoubt = problem?.kind === 'stillChecking'
  const told = problem && invoiceText(problem, i18n)
  return (
    <div className={classes.page}>
      <InvoiceForm
        draft={draft}
        isBusy={state.hasTag('busy')}
        isClosed={!state.hasTag('open')}
        isSettled={draft.invoice !== null && !isOutdated}
        onChange={(patch) => actor.send({ type: 'draft.change', patch })}
      />
      {told && !payment && !isChecking && (
        <Notice key={problem?.kind} kind={told.kind} title={told.title} isCalling>
          {told.text}
        </Notice>
      )}
      {draft.invoice && !isOutdated && (
        <InvoiceCard
          invoice={draft.invoice}
          isBusy={state.hasTag('busy')}
          isInDoubt={isInDoubt}
          onPay={() => {
            noteFocus()
            actor.send(
              isInDoubt
                ? { type: 'outcome.ask' }
                : { type: 'form.confirm', attemptId: crypto.randomUUID(), at: serverNow(), recent: [] },
            )
          }}
        />
      )}
      <PaidInvoices uid={uid} receiptOf={(paid, onClose) => receiptOf(paid, false, onClose)} />
      {attempt && (
        <CheckoutSheets
          state={state}
          send={actor.send}
          amount={attempt.order.amount}
          recap={recapOf(attempt.order)}
          backLabel={<Trans>Revenir à la facture</Trans>}
          told={told}
          returnTo="main:not([hidden]) [data-pay]"
        />
      )}
      <Suspense>{receipt && receiptOf(receipt, true, closeReceipt)}</Suspense>
    </div>
  )
}

function keptInvoice(uid: string): InvoiceDraft | null {
  const kept = keptForm('invoice', uid)
  if (!kept) return null
  const supplier = textOf(kept.supplier)
  const type = INVOICE_TYPES.find((one) => one === kept.type) ?? null
  // The invoice may have changed since it was looked up, so it is looked up again.
  return {
    type,
    supplier: supplierById(supplier) ? supplier : '',
    reference: textOf(kept.reference),
    invoice: null,
  }
}

function recapOf({ supplier, reference, amount }: Invoice): readonly RecapLine[] {
  return [
    {
      name: 'to',
      term: <Trans>Fournisseur</Trans>,
      value: supplierById(supplier)?.name ?? supplier,
      more: reference,
    },
    { name: 'what', term: <Trans>Montant</Trans>, value: formatMoney(amount, currentLanguage()) },
  ]
}
