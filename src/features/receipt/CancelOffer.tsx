import { msg } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { formatWait } from '../../../domain/common/wait.ts'
import {
  countSecondsLeft,
  getNextSecond,
  isCancellationOffered,
} from '../../../domain/transfers/cancellation.ts'
import type { DeliverySummary } from '../../../domain/transfers/deliverySchema.ts'
import { ClockIcon } from '../../ui/icons/common.ts'
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

/** The server decides, so a refusal leads to the support desk. */
export function CancelOffer({ uid, id, delivery }: { uid: string; id: string; delivery: DeliverySummary }) {
  const isOnline = useOnline()
  const now = useServerNow((now) => getNextSecond(delivery, now))
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
  if (isTooLate)
    return (
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
    )
  if (!isCancellationOffered(delivery, now) && !isBusy && !problem) return null
  const seconds = countSecondsLeft(delivery, now)
  const notice = (
    <Notice
      kind="info"
      title={
        isConfirming ? (
          <Trans>Annuler ce transfert ?</Trans>
        ) : (
          <Trans>Un numéro faux, un autre montant ?</Trans>
        )
      }
      action={
        <div className={classes.cancel}>
          {!isOnline && (
            <p>
              <Trans>Il faut un réseau pour annuler ce transfert.</Trans>
            </p>
          )}
          {seconds !== null && <Countdown seconds={seconds} />}
          {/* The same button, so that it keeps the focus and a double tap does not cancel. */}
          <Button
            variant="light"
            disabled={isConfirming ? isBusy : !isOnline}
            onClick={() => setConfirming(!isConfirming)}
          >
            {isConfirming ? <Trans>Garder le transfert</Trans> : <Trans>Annuler le transfert</Trans>}
          </Button>
          {isConfirming && (
            <Button variant="danger" loading={isBusy} disabled={!isOnline} onClick={submit}>
              <Trans>Oui, annuler le transfert</Trans>
            </Button>
          )}
        </div>
      }
    >
      {isConfirming ? (
        <Trans>
          Le bénéficiaire ne recevra rien, et tout sera remboursé sur votre carte, frais compris, souvent en 5
          à 10 jours. Si rien n’arrive en 14 jours, contactez notre assistance.
        </Trans>
      ) : (
        // The countdown shows it too, but is not announced.
        <span className={seconds === null ? undefined : 'unseen'}>
          <Trans>Vous pouvez annuler ce transfert tant que sa remise n’a pas commencé.</Trans>
        </span>
      )}
    </Notice>
  )
  return (
    <div ref={releaseReservedHeight} className={classes.receipt}>
      {problem && <Notice kind="error">{problem}</Notice>}
      {notice}
    </div>
  )
}

/** The role keeps screen readers from reading each second. */
function Countdown({ seconds }: { seconds: number }) {
  const left = formatWait(seconds, useLanguage())
  return (
    <p role="timer" className={classes.countdown}>
      <ClockIcon isSmall />
      <span>
        <Trans>Encore {left} pour annuler</Trans>
      </span>
    </p>
  )
}
