import { i18n } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useEffect, useState } from 'react'
import {
  dismissEndedPayment,
  type EndedPayment,
  resolveEndedPayment,
  resolveReturnedPayment,
} from '../actors/endedPayment.ts'
import type { StoredTransaction } from '../cache/database.ts'
import { getTransferCheckoutText } from '../features/transfer/checkoutMessages.ts'
import { payingPages } from '../pwa/paymentLock.ts'
import { DisappearingButton } from '../ui/DisappearingButton.tsx'
import { Notice } from '../ui/Notice.tsx'
import { showToast } from '../ui/toast.ts'
import { useLanguage } from '../ui/useLanguage.ts'
import classes from './Home.module.css'

type Outcome = Exclude<EndedPayment['outcome'], 'sent' | 'invoicePaid'>

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
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  useLanguage()
  useEffect(() => {
    const over = new AbortController()
    const { signal } = over
    let isToldUnclear = false
    const ask = async () => {
      const asked = returned === null ? resolveEndedPayment(uid) : resolveReturnedPayment(uid, returned)
      const ended = await asked.catch(() => ({ outcome: 'unclear' }) as const)
      if (signal.aborted) return
      if (ended?.outcome === 'unclear') {
        // A user who has dismissed this notice doesn't read it twice.
        if (!isToldUnclear) setOutcome('unclear')
        isToldUnclear = true
        return
      }
      over.abort()
      setOutcome(null)
      if (ended?.outcome === 'sent') onTransaction(ended.transaction)
      else if (ended?.outcome === 'invoicePaid')
        showToast('success', i18n._(msg`Votre facture est payée. Son reçu est dans vos factures.`))
      else if (ended) setOutcome(ended.outcome)
    }
    // An outcome must not interrupt another payment.
    const askInSight = () => document.visibilityState === 'visible' && payingPages.size === 0 && ask()
    ask()
    document.addEventListener('visibilitychange', askInSight, { signal })
    addEventListener('online', askInSight, { signal })
    return () => over.abort()
  }, [uid, returned, onTransaction])
  const dismiss = () => {
    if (outcome !== 'unclear') dismissEndedPayment()
    setOutcome(null)
  }
  return (
    outcome && (
      <div className={classes.renewal} data-passing>
        <Notice
          kind="warning"
          action={
            <DisappearingButton variant="light" onClick={dismiss}>
              <Trans>C’est noté</Trans>
            </DisappearingButton>
          }
        >
          {describeOutcome(outcome)}
        </Notice>
      </div>
    )
  )
}

function describeOutcome(outcome: Outcome): string {
  switch (outcome) {
    case 'unpaid':
      return i18n._(msg`Le paiement commencé plus tôt n’a pas été terminé. Votre carte n’a pas été débitée.`)
    case 'refunded':
    case 'disputed':
      return getTransferCheckoutText({ kind: outcome }, i18n).text
    case 'unclear':
      return i18n._(
        msg`Un paiement est encore en vérification. S’il aboutit, il apparaîtra dans l’activité récente ou parmi vos factures payées. Ne payez pas à nouveau avant de connaître son résultat.`,
      )
  }
}
