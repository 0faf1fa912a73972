import { i18n } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { useEffect } from 'react'
import { type EndedPayment, resolveEndedPayment, resolveReturnedPayment } from '../actors/endedPayment.ts'
import type { StoredTransaction } from '../cache/database.ts'
import { getTransferCheckoutText } from '../features/transfer/checkoutMessages.ts'
import { showToast } from '../ui/toast.ts'

export function EndedPaymentNotice({
  uid,
  returned,
  onTransaction,
}: {
  uid: string
  /** PaymentIntent ID of a payment that began in another browser; null for an ended session's payment. */
  returned: string | null
  onTransaction: (transaction: StoredTransaction) => void
}) {
  useEffect(() => {
    let isGone = false
    const asked = returned === null ? resolveEndedPayment(uid) : resolveReturnedPayment(uid, returned)
    asked
      // The next start asks again.
      .catch(() => ({ outcome: 'unclear' }) as const)
      .then((ended) => {
        if (!ended || isGone) return
        if (ended.outcome === 'sent') onTransaction(ended.transaction)
        else showToast(ended.outcome === 'invoicePaid' ? 'success' : 'info', describeOutcome(ended.outcome))
      })
    return () => {
      isGone = true
    }
  }, [uid, returned, onTransaction])
  return null
}

function describeOutcome(outcome: Exclude<EndedPayment['outcome'], 'sent'>): string {
  switch (outcome) {
    case 'invoicePaid':
      return i18n._(msg`Votre facture est payée. Son reçu est dans vos factures.`)
    case 'unpaid':
      return i18n._(msg`Le paiement commencé plus tôt n’a pas été terminé. Votre carte n’a pas été débitée.`)
    case 'refunded':
    case 'disputed':
      return getTransferCheckoutText({ kind: outcome }, i18n).text
    case 'unclear': {
      const { title, text } = getTransferCheckoutText({ kind: 'stillChecking' }, i18n)
      return `${title}. ${text}`
    }
  }
}
