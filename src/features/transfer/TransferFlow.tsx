import { Trans, useLingui } from '@lingui/react/macro'
import { Button, Loader } from '@mantine/core'
import { useActorRef, useSelector } from '@xstate/react'
import { useLiveQuery } from 'dexie-react-hooks'
import { useEffect, useState } from 'react'
import { transfer as transferLogic } from '../../actors/transfer.ts'
import { databaseOf } from '../../cache/database.ts'
import { EMPTY_SUBSCRIPTION } from '../../domain/plans.ts'
import { Notice } from '../../ui/Notice.tsx'
import { Sheet } from '../../ui/Sheet.tsx'
import { ReceiptSheet } from '../receipt/ReceiptSheet.tsx'
import { checkoutText } from './checkoutMessages.ts'
import { PaymentSheet } from './PaymentSheet.tsx'
import classes from './TransferFlow.module.css'
import { TransferForm } from './TransferForm.tsx'

/** A transfer from the form to its receipt, as the transfer machine leads it. Specification, section 4. */
export function TransferFlow({ uid, senderName }: { uid: string; senderName: string }) {
  const { i18n } = useLingui()
  const profile = useLiveQuery(() => databaseOf(uid).profiles.get(uid), [uid])
  const actor = useActorRef(transferLogic, {
    input: { profile: { uid, subscription: EMPTY_SUBSCRIPTION }, isOnline: navigator.onLine },
  })
  const state = useSelector(actor, (snapshot) => snapshot)
  const { draft, problem, problems, attempt, payment, transaction, profile: payer } = state.context

  useEffect(() => {
    if (profile) actor.send({ type: 'profile.changed', profile: { uid, subscription: profile.subscription } })
  }, [actor, profile, uid])

  useEffect(() => {
    const lost = () => actor.send({ type: 'network.lost' })
    const back = () => actor.send({ type: 'network.back' })
    addEventListener('offline', lost)
    addEventListener('online', back)
    return () => {
      removeEventListener('offline', lost)
      removeEventListener('online', back)
    }
  }, [actor])

  // A paid transfer leaves a fresh form behind, without the marks of the fields that were left before.
  const [lastPaid, setLastPaid] = useState('')
  if (transaction && transaction.id !== lastPaid) setLastPaid(transaction.id)

  const isChecking = state.matches('checkingOutcome')
  const isFinishing = state.matches('recording')
  const told = problem && checkoutText(problem, i18n)
  return (
    <>
      <TransferForm
        key={lastPaid}
        draft={draft}
        subscription={payer.subscription}
        isBusy={state.hasTag('busy')}
        isAsked={problems.length > 0}
        notice={
          told &&
          !payment && (
            <Notice kind={told.kind} title={told.title}>
              {told.text}
            </Notice>
          )
        }
        onChange={(patch) => actor.send({ type: 'draft.change', patch })}
        onConfirm={() =>
          actor.send({ type: 'transfer.confirm', attemptId: crypto.randomUUID(), at: Date.now() })
        }
      />
      {payment && attempt && !isFinishing && (
        <PaymentSheet
          transfer={attempt.transfer}
          payment={payment}
          isBusy={state.hasTag('busy')}
          problem={problem}
          onSubmit={() => actor.send({ type: 'payment.submit' })}
          onClose={() => actor.send({ type: 'payment.close' })}
        />
      )}
      {(isFinishing || isChecking) && (
        <Sheet
          title={isFinishing ? <Trans>Un instant…</Trans> : <Trans>Paiement en vérification</Trans>}
          onClose={() => actor.send({ type: 'outcome.leave' })}
          isClosable={isChecking}
        >
          <div className={classes.waiting} aria-live="polite">
            {isFinishing ? (
              <p className={classes.progress}>
                <Loader size="sm" /> <Trans>La banque a répondu. Nous enregistrons votre transfert.</Trans>
              </p>
            ) : (
              told && (
                <>
                  <Notice kind={told.kind}>{told.text}</Notice>
                  <Button
                    onClick={() => actor.send({ type: 'outcome.ask' })}
                    loading={state.matches({ checkingOutcome: 'asking' })}
                  >
                    <Trans>Redemander maintenant</Trans>
                  </Button>
                  <Button variant="subtle" onClick={() => actor.send({ type: 'outcome.leave' })}>
                    <Trans>Continuer sans attendre</Trans>
                  </Button>
                </>
              )
            )}
          </div>
        </Sheet>
      )}
      {transaction && (
        <ReceiptSheet
          transaction={transaction}
          senderName={senderName}
          isNew
          onClose={() => actor.send({ type: 'receipt.close' })}
        />
      )}
    </>
  )
}
