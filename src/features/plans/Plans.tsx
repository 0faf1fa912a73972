import { useLingui } from '@lingui/react'
import { Trans } from '@lingui/react/macro'
import { Button, Loader } from '@mantine/core'
import { useSelector } from '@xstate/react'
import { useCallback, useEffect, useRef, useState } from 'react'
import { activePlan } from '../../../domain/plans.ts'
import type { Subscription } from '../../../domain/schemas/profile.ts'
import { refreshPlan } from '../../actors/refreshPlan.ts'
import { subscription as subscriptionLogic } from '../../actors/subscription.ts'
import { serverNow } from '../../browser/serverTime.ts'
import { ownSubscription } from '../../cache/queries.ts'
import { useActorRef } from '../../inspection/useActorRef.ts'
import { useHeadingAfter } from '../../ui/focusHeading.ts'
import { currentLanguage } from '../../ui/i18n.ts'
import { Notice } from '../../ui/Notice.tsx'
import { useCached } from '../../ui/useCached.ts'
import { useOnline } from '../../ui/useOnline.ts'
import { useRefresh } from '../../ui/useRefresh.ts'
import { CancelSheet } from './CancelSheet.tsx'
import { PlanComparison } from './PlanComparison.tsx'
import { PlanStatus } from './PlanStatus.tsx'
import classes from './Plans.module.css'
import { PLAN_NAMES, planText } from './planMessages.ts'

/** The plans, in the settings. Specification, sections 2 and 3. */
export function Plans({ uid }: { uid: string }) {
  const stored = useCached(uid, ownSubscription)
  useRefresh(useCallback(() => refreshPlan(uid), [uid]))
  return stored ? <PlanFlow uid={uid} stored={stored} /> : <Loader />
}

const logic = subscriptionLogic(currentLanguage)

/** From no plan to a plan and out of it again, as the subscription machine leads it. Specification, section 4. */
function PlanFlow({ uid, stored }: { uid: string; stored: Subscription }) {
  const { i18n } = useLingui()
  const [sessionId] = useState(returningSession)
  const actor = useActorRef(logic, {
    input: { uid, subscription: stored, sessionId, isOnline: navigator.onLine, at: serverNow() },
  })
  const state = useSelector(actor, (snapshot) => snapshot)
  const { subscription, problem, notice, tier, at } = state.context

  useEffect(
    () => actor.send({ type: 'plan.changed', subscription: stored, at: serverNow() }),
    [actor, stored],
  )
  const isOnline = useOnline()
  useEffect(() => actor.send({ type: isOnline ? 'network.back' : 'network.lost' }), [actor, isOnline])
  useEffect(() => {
    const show = ({ persisted }: PageTransitionEvent) => persisted && actor.send({ type: 'page.shown' })
    addEventListener('pageshow', show)
    return () => removeEventListener('pageshow', show)
  }, [actor])

  // The address keeps the checkout until its outcome is known, so that a reload asks again.
  const isTidy = state.context.sessionId === null
  useEffect(() => {
    if (isTidy && location.pathname === '/settings') history.replaceState(history.state, '', '/')
  }, [isTidy])

  const told = problem && planText(problem, i18n)
  const isVerifying = state.matches('verifying')
  const isAsking = state.matches({ verifying: 'asking' })
  const isCanceling = state.matches('canceling')
  const hasPlan = activePlan(subscription, at) !== null
  return (
    <div className={classes.plans}>
      {told ? (
        <Notice
          key={problem.kind}
          kind={told.kind}
          title={told.title}
          isCalling
          action={
            isVerifying && (
              <Verification
                isAsking={isAsking}
                onAsk={() => actor.send({ type: 'verification.ask' })}
                onLeave={() => actor.send({ type: 'verification.leave' })}
              />
            )
          }
        >
          <p>{told.text}</p>
        </Notice>
      ) : (
        isAsking && (
          <Notice kind="info" title={<Trans>Nous vérifions votre paiement…</Trans>}>
            <Trans>Restez sur cette page un instant. Rien ne sera payé deux fois.</Trans>
          </Notice>
        )
      )}
      {notice && <PlanNotice kind={notice} subscription={subscription} />}
      {!isVerifying && (
        <>
          <PlanStatus
            subscription={subscription}
            at={at}
            hasPlan={hasPlan}
            isBusy={state.hasTag('busy')}
            onChangeCard={() => actor.send({ type: 'card.change' })}
            onCancel={() => actor.send({ type: 'cancel.ask' })}
          />
          <PlanComparison
            uid={uid}
            own={hasPlan ? subscription.tier : null}
            chosen={tier}
            isBusy={state.hasTag('busy')}
            onChoose={hasPlan ? null : (wanted) => actor.send({ type: 'plan.choose', tier: wanted })}
          />
        </>
      )}
      {(isCanceling || state.matches({ active: 'confirmingCancel' })) && (
        <CancelSheet
          subscription={subscription}
          at={at}
          isBusy={isCanceling}
          onKeep={() => actor.send({ type: 'cancel.keep' })}
          onConfirm={() => actor.send({ type: 'cancel.confirm' })}
        />
      )}
    </div>
  )
}

/** What can be done while nobody knows whether the plan is paid. It stays there each time that the server is asked again. */
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
  // An answer takes the buttons away.
  useHeadingAfter(buttons)
  return (
    <div ref={buttons} className={classes.actions}>
      {/* A disabled button would lose the focus. */}
      <Button variant="default" aria-disabled={isAsking} onClick={() => !isAsking && onAsk()}>
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

/** The checkout that the person comes back from. Specification, section 2. */
function returningSession(): string | null {
  return location.pathname === '/settings' ? new URLSearchParams(location.search).get('session_id') : null
}
