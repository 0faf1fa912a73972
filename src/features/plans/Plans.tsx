import { useLingui } from '@lingui/react'
import { Trans } from '@lingui/react/macro'
import { Button } from '@mantine/core'
import { useSelector } from '@xstate/react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { Subscription } from '../../../domain/account/profileSchema.ts'
import type { MonthLedger } from '../../../domain/prices/capUse.ts'
import { getActivePlan } from '../../../domain/prices/plans.ts'
import { subscriptionLogic } from '../../actors/subscription.ts'
import { onlineStore, runAfterNetworkCheck } from '../../browser/network.ts'
import { parseReturnAddress } from '../../browser/returnAddress.ts'
import { serverNow } from '../../browser/serverTime.ts'
import { useActorRef } from '../../inspection/useActorRef.ts'
import { useFocusHeadingAfter } from '../../ui/focusHeading.ts'
import { Notice } from '../../ui/Notice.tsx'
import { useNetworkEvents } from '../../ui/useOnline.ts'
import { CancelSheet } from './CancelSheet.tsx'
import { PlanComparison } from './PlanComparison.tsx'
import { PlanStatus } from './PlanStatus.tsx'
import classes from './Plans.module.css'
import { getPlanProblemText, PLAN_NAMES } from './planMessages.ts'

/** Specification, sections 2 to 4. */
export function Plans({
  uid,
  stored,
  ledger,
  month,
}: {
  uid: string
  stored: Subscription
  ledger: MonthLedger | null
  month: ReactNode
}) {
  const { i18n } = useLingui()
  const [sessionId] = useState(() => {
    const back = parseReturnAddress()
    return back?.kind === 'checkout' ? back.sessionId : null
  })
  const actor = useActorRef(subscriptionLogic, {
    input: { uid, subscription: stored, sessionId, isOnline: onlineStore.get(), at: serverNow() },
  })
  const state = useSelector(actor, (snapshot) => snapshot)
  const { subscription, problem, notice, tier, at } = state.context

  useEffect(
    () => actor.send({ type: 'plan.changed', subscription: stored, at: serverNow() }),
    [actor, stored],
  )
  useNetworkEvents(actor.send)
  useEffect(() => {
    const show = ({ persisted }: PageTransitionEvent) => persisted && actor.send({ type: 'page.shown' })
    addEventListener('pageshow', show)
    return () => removeEventListener('pageshow', show)
  }, [actor])

  // A reload asks again until the outcome is known.
  const isTidy = state.context.sessionId === null
  useEffect(() => {
    if (isTidy && location.pathname === '/settings') history.replaceState(history.state, '', '/')
  }, [isTidy])

  const problemText = problem && getPlanProblemText(problem, i18n)
  const isVerifying = state.matches('verifying')
  const isAsking = state.matches({ verifying: 'asking' })
  const isCanceling = state.matches('canceling')
  const hasPlan = getActivePlan(subscription, at) !== null
  const message = (
    <>
      {problemText ? (
        <Notice
          key={problem.kind}
          kind={problemText.kind}
          title={problemText.title}
          isCalling
          action={
            isVerifying && (
              <Verification
                isAsking={isAsking}
                onAsk={() => actor.send({ type: 'verification.check' })}
                onLeave={() => actor.send({ type: 'verification.leave' })}
              />
            )
          }
        >
          <p>{problemText.text}</p>
        </Notice>
      ) : (
        isAsking && (
          <Notice kind="info" title={<Trans>Nous vérifions votre paiement…</Trans>}>
            <Trans>Restez sur cette page un instant. Rien ne sera payé deux fois.</Trans>
          </Notice>
        )
      )}
      {notice && <PlanNotice kind={notice} subscription={subscription} />}
    </>
  )
  return (
    <>
      <div className={classes.column}>
        {month}
        {hasPlan && message}
        {!isVerifying && (
          <PlanStatus
            subscription={subscription}
            ledger={ledger}
            at={at}
            isBusy={state.hasTag('busy')}
            onChangeCard={() => runAfterNetworkCheck(() => actor.send({ type: 'card.change' }))}
            onCancel={() => runAfterNetworkCheck(() => actor.send({ type: 'cancel.request' }))}
          />
        )}
      </div>
      <div className={classes.column}>
        {isVerifying && !hasPlan && message}
        {!isVerifying && (
          <PlanComparison
            uid={uid}
            own={hasPlan ? subscription.tier : null}
            chosen={tier}
            isBusy={state.hasTag('busy')}
            onChoose={
              hasPlan
                ? null
                : (wanted) => runAfterNetworkCheck(() => actor.send({ type: 'plan.choose', tier: wanted }))
            }
            message={!hasPlan && message}
          />
        )}
      </div>
      {(isCanceling || state.matches({ active: 'confirmingCancel' })) && (
        <CancelSheet
          subscription={subscription}
          at={at}
          isBusy={isCanceling}
          onKeep={() => actor.send({ type: 'cancel.dismiss' })}
          onConfirm={() => actor.send({ type: 'cancel.confirm' })}
        />
      )}
    </>
  )
}

/** The buttons stay mounted during each new request. */
function Verification({
  isAsking,
  onAsk,
  onLeave,
}: {
  isAsking: boolean
  onAsk: () => void
  onLeave: () => void
}) {
  const buttons = useRef<HTMLDivElement>(null)
  useFocusHeadingAfter(buttons)
  return (
    <div ref={buttons} className={classes.actions}>
      {/* A disabled button would lose the focus. */}
      <Button variant="light" aria-disabled={isAsking} onClick={() => !isAsking && onAsk()}>
        {isAsking ? <Trans>Nous vérifions…</Trans> : <Trans>Vérifier à nouveau</Trans>}
      </Button>
      <Button variant="subtle" onClick={onLeave}>
        <Trans>Continuer sans attendre</Trans>
      </Button>
    </div>
  )
}

function PlanNotice({
  kind,
  subscription: { tier },
}: {
  kind: 'started' | 'canceled'
  subscription: Subscription
}) {
  const name = tier && PLAN_NAMES[tier]
  return kind === 'started' ? (
    <Notice kind="success" title={<Trans>Votre forfait {name} est actif</Trans>} isCalling>
      <Trans>Vos transferts en profitent dès maintenant.</Trans>
    </Notice>
  ) : (
    <Notice kind="success" title={<Trans>Votre forfait {name} est résilié</Trans>} isCalling>
      <Trans>Rien ne sera plus débité pour lui.</Trans>
    </Notice>
  )
}
