import { useLingui } from '@lingui/react/macro'
import { useSelector } from '@xstate/react'
import { type ReactNode, useEffect } from 'react'
import type { Invoice, InvoiceDraft, InvoicePayment } from '../../../domain/invoices/invoice.ts'
import { findSupplier, INVOICE_TYPES } from '../../../domain/invoices/suppliers.ts'
import { invoiceLogic } from '../../actors/invoice.ts'
import { onlineStore, runAfterNetworkCheck } from '../../browser/network.ts'
import { readSavedForm, saveForm, toTextOrEmpty } from '../../browser/savedForms.ts'
import { serverNow } from '../../browser/serverTime.ts'
import { useActorRef } from '../../inspection/useActorRef.ts'
import { requestPersistence } from '../../pwa/persistence.ts'
import { Avatar } from '../../ui/Avatar.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { CheckoutSheets } from '../../ui/payment/CheckoutSheets.tsx'
import { isPaying, type PaymentRecap, useCheckout } from '../../ui/payment/useCheckout.ts'
import { ScreenPart } from '../../ui/ScreenPart.tsx'
import { useRestoreFocus } from '../../ui/useRestoreFocus.ts'
import { InvoiceCard } from './InvoiceCard.tsx'
import { InvoiceForm } from './InvoiceForm.tsx'
import classes from './InvoicesPage.module.css'
import { getInvoiceCheckoutText } from './invoiceMessages.ts'
import { PaidInvoices } from './PaidInvoices.tsx'

const OUTDATED: readonly string[] = [
  'invoiceNotFound',
  'invoiceAlreadyPaid',
  'invoiceSeemsPaid',
  'invoiceUnderWay',
  'invoiceChanged',
]

/** Specification, section 2. */
export function InvoicesPage({
  uid,
  renderReceipt,
}: {
  uid: string
  renderReceipt: (payment: InvoicePayment, isNew: boolean, onClose: () => void) => ReactNode
}) {
  const { i18n } = useLingui()
  const actor = useActorRef(invoiceLogic, {
    input: { profile: { uid }, isOnline: onlineStore.get(), at: serverNow() },
  })
  const state = useSelector(actor, (snapshot) => snapshot)
  const { draft, problem, attempt, payment, receipt } = state.context

  useEffect(() => {
    const kept = readKeptInvoiceDraft(uid)
    // The server refuses to have an invoice paid twice.
    if (kept) actor.send({ type: 'draft.restore', draft: kept, draftId: null })
    return () => saveForm('invoice', uid, null)
  }, [actor, uid])
  const { type, supplier, reference } = draft
  // During a payment, the attempt stores the invoice instead.
  const isKept = attempt === null && (type !== null || supplier !== '' || reference !== '')
  useEffect(
    () => saveForm('invoice', uid, isKept ? { type, supplier, reference } : null),
    [uid, isKept, type, supplier, reference],
  )

  useCheckout('invoices', isPaying(state), actor.send)
  const noteFocus = useRestoreFocus(state.hasTag('paying'))

  const closeReceipt = () => {
    actor.send({ type: 'receipt.close' })
    requestPersistence()
  }

  const isChecking = state.matches('checkingOutcome')
  const isOutdated = problem !== null && OUTDATED.includes(problem.kind)
  const isInDoubt = problem?.kind === 'stillChecking' || problem?.kind === 'lookingUp'
  const explanation = problem && getInvoiceCheckoutText(problem, i18n)
  const refusal = explanation && !payment && !isChecking && (
    <Notice key={problem?.kind} kind={explanation.kind} title={explanation.title} isCalling>
      {explanation.text}
    </Notice>
  )
  const invoice = isOutdated ? null : draft.invoice
  return (
    <div className={classes.page}>
      <div className={classes.column}>
        <InvoiceForm
          draft={draft}
          isBusy={state.hasTag('busy')}
          isClosed={!state.hasTag('open')}
          isFound={invoice !== null}
          onChange={(patch) => actor.send({ type: 'draft.change', patch })}
        />
        {invoice ? (
          <InvoiceCard
            invoice={invoice}
            isBusy={state.hasTag('busy')}
            isInDoubt={isInDoubt}
            isRetry={problem?.kind === 'initFailed'}
            refusal={refusal}
            onPay={() => {
              noteFocus()
              runAfterNetworkCheck(() =>
                actor.send(
                  isInDoubt
                    ? { type: 'outcome.check' }
                    : { type: 'form.confirm', attemptId: crypto.randomUUID(), at: serverNow(), recent: [] },
                ),
              )
            }}
          />
        ) : (
          refusal
        )}
      </div>
      <PaidInvoices uid={uid} renderReceipt={(paid, onClose) => renderReceipt(paid, false, onClose)} />
      {attempt && (
        <ScreenPart>
          <CheckoutSheets
            state={state}
            send={actor.send}
            amount={attempt.order.amount}
            recap={buildInvoiceRecap(attempt.order)}
            explanation={explanation}
            returnTo="main:not([hidden]) [data-pay]"
          />
        </ScreenPart>
      )}
      {receipt && (
        <ScreenPart key={receipt.id} isPaid>
          {renderReceipt(receipt, true, closeReceipt)}
        </ScreenPart>
      )}
    </div>
  )
}

function readKeptInvoiceDraft(uid: string): InvoiceDraft | null {
  const kept = readSavedForm('invoice', uid)
  if (!kept) return null
  const supplier = toTextOrEmpty(kept.supplier)
  const type = INVOICE_TYPES.find((one) => one === kept.type) ?? null
  // The invoice may have changed since the lookup.
  return {
    type,
    supplier: findSupplier(supplier) ? supplier : '',
    reference: toTextOrEmpty(kept.reference),
    invoice: null,
  }
}

function buildInvoiceRecap({ supplier, reference, amount }: Invoice): PaymentRecap {
  const payee = findSupplier(supplier)?.name ?? supplier
  return {
    picture: <Avatar name={payee} />,
    payee,
    about: reference,
    total: amount,
    note: null,
  }
}
