import { msg } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button } from '@mantine/core'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { formatWait } from '../../../domain/common/wait.ts'
import {
  countSecondsLeft,
  getNextSecond,
  isCancellationOffered,
} from '../../../domain/transfers/cancellation.ts'
import type { DeliverySummary } from '../../../domain/transfers/deliverySchema.ts'
import { useFocusHeadingAfter } from '../../ui/focusHeading.ts'
import { Notice } from '../../ui/Notice.tsx'
import { useLanguage } from '../../ui/useLanguage.ts'
import { useOnline } from '../../ui/useOnline.ts'
import { useServerNow } from '../../ui/useServerNow.ts'
import { useSubmit } from '../../ui/useSubmit.ts'
import { releaseReservedHeight } from './anchorContentBelow.ts'
import { AskSupport } from './DeliveryExplanation.tsx'
import classes from './Receipt.module.css'

const UNCLEAR = msg`Nous ne savons pas si le transfert est annulé. Réessayez : c’est sans risque.`
const UNAVAILABLE = msg`Le transfert ne peut pas être annulé pour l’instant. Contactez notre assistance avec le numéro du transfert.`
const NOT_NOW: readonly string[] = ['paymentsClosed', 'cancellationUnavailable']

export interface CancelOffer {
  /** For the ticket. */
  readonly line: ReactNode
  /** Below the ticket, so that it doesn't move the line's button. */
  readonly question: ReactNode
}

/** The server decides, so a refusal leads to the support desk. */
export function useCancelOffer(
  uid: string,
  id: string,
  delivery: DeliverySummary | null,
): CancelOffer | null {
  const isOnline = useOnline()
  const now = useServerNow((now) => delivery && getNextSecond(delivery, now))
  const [isConfirming, setConfirming] = useState(false)
  const [isTooLate, setTooLate] = useState(false)
  const { isBusy, problem, submit } = useSubmit(
    async () => {
      const { cancelTransfer } = await import('./cancelTransfer.ts')
      setTooLate((await cancelTransfer(uid, id)) === 'tooLate')
      setConfirming(false)
    },
    (failure) => (failure.kind === 'function' && NOT_NOW.includes(failure.code) ? UNAVAILABLE : UNCLEAR),
  )
  if (!delivery) return null
  if (isTooLate)
    return {
      line: null,
      question: (
        <Notice
          kind="warning"
          isCalling
          title={<Trans>Ce transfert ne peut plus être annulé.</Trans>}
          action={<AskSupport id={id} />}
        >
          <Trans>
            Sa remise au bénéficiaire a déjà commencé. Si le numéro est faux, contactez tout de suite notre
            assistance avec le numéro du transfert.
          </Trans>
        </Notice>
      ),
    }
  if (!isCancellationOffered(delivery, now) && !isBusy && !problem) return null
  return {
    line: (
      <OfferLine
        seconds={countSecondsLeft(delivery, now)}
        isOnline={isOnline}
        isConfirming={isConfirming}
        isDisabled={isConfirming ? isBusy : !isOnline}
        onPress={() => setConfirming(!isConfirming)}
      />
    ),
    question: (
      <>
        {problem && <Notice kind="error">{problem}</Notice>}
        {isConfirming && (
          <Notice
            kind="warning"
            title={<Trans>Annuler ce transfert ?</Trans>}
            action={
              <Button variant="danger" loading={isBusy} disabled={!isOnline} onClick={submit}>
                <Trans>Oui, annuler le transfert</Trans>
              </Button>
            }
          >
            <Trans>
              Le bénéficiaire ne recevra rien, et tout sera remboursé sur votre carte, frais compris, souvent
              en 5 à 10 jours. Si rien n’arrive en 14 jours, contactez notre assistance.
            </Trans>
          </Notice>
        )}
      </>
    ),
  }
}

function OfferLine({
  seconds,
  isOnline,
  isConfirming,
  isDisabled,
  onPress,
}: {
  /** Null without a time limit. */
  seconds: number | null
  isOnline: boolean
  isConfirming: boolean
  isDisabled: boolean
  onPress: () => void
}) {
  const line = useRef<HTMLDivElement>(null)
  const left = formatWait(seconds ?? 0, useLanguage(), 'short')
  useFocusHeadingAfter(line)
  useEffect(() => releaseReservedHeight(line.current), [])
  return (
    <div ref={line} className={classes.offer}>
      {!isOnline ? (
        <p>
          <Trans>Il faut un réseau pour annuler ce transfert.</Trans>
        </p>
      ) : seconds === null ? (
        <p>
          <Trans>Possible tant que la remise n’a pas commencé</Trans>
        </p>
      ) : (
        // The role keeps screen readers from reading each second.
        <p role="timer">
          <Trans>Encore {left}</Trans>
        </p>
      )}
      {/* The same button, so that it keeps the focus and a double tap does not cancel. */}
      <button type="button" translate="no" disabled={isDisabled} onClick={onPress}>
        {isConfirming ? <Trans>Garder le transfert</Trans> : <Trans>Annuler le transfert</Trans>}
      </button>
    </div>
  )
}
