import { i18n } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { useEffect } from 'react'
import { askAboutEnded, type EndedPayment as Ended } from '../actors/endedPayment.ts'
import type { KeptTransaction } from '../cache/database.ts'
import { checkoutText } from '../features/transfer/checkoutMessages.ts'
import { toast } from '../ui/toast.ts'

/** After a session was ended elsewhere, tells the same person what became of the payment that it left open. */
export function EndedPayment({
  uid,
  onTransaction,
}: {
  uid: string
  onTransaction: (transaction: KeptTransaction) => void
}) {
  useEffect(() => {
    let isGone = false
    askAboutEnded(uid)
      // Without an answer it is asked again when the app opens next.
      .catch(() => ({ outcome: 'unclear' }) as const)
      .then((ended) => {
        if (!ended || isGone) return
        if (ended.outcome === 'sent') onTransaction(ended.transaction)
        else toast(ended.outcome === 'invoicePaid' ? 'success' : 'info', textOf(ended.outcome))
      })
    return () => {
      isGone = true
    }
  }, [uid, onTransaction])
  return null
}

function textOf(outcome: Exclude<Ended['outcome'], 'sent'>): string {
  switch (outcome) {
    case 'invoicePaid':
      return i18n._(msg`Votre facture est payée. Son reçu est dans vos factures.`)
    case 'unpaid':
      return i18n._(msg`Le paiement resté ouvert n’a pas été terminé. Votre carte n’a pas été débitée.`)
    case 'refunded':
    case 'disputed':
      return checkoutText({ kind: outcome }, i18n).text
    case 'unclear': {
      const { title, text } = checkoutText({ kind: 'stillChecking' }, i18n)
      return `${title}. ${text}`
    }
  }
}
