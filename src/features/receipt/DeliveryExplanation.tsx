import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { Button } from '@mantine/core'
import { formatLocalMinute } from '../../../domain/common/localDay.ts'
import { findProvider } from '../../../domain/numbers/wallets.ts'
import type { FinalFailure } from '../../../domain/transfers/deliverySchema.ts'
import type { DeliveryTimeline } from '../../../domain/transfers/timeline.ts'
import { support } from '../../services/support.ts'
import { Notice } from '../../ui/Notice.tsx'
import { useLanguage } from '../../ui/useLanguage.ts'

/** `now`: UTC ms. */
export function DeliveryExplanation({
  timeline,
  id,
  now,
}: {
  timeline: DeliveryTimeline
  id: string
  now: number
}) {
  const { i18n } = useLingui()
  switch (timeline.stage) {
    case 'due': {
      const name = timeline.delivery && findProvider(timeline.delivery.by)?.service
      return (
        // Nothing has gone wrong as far as we know, so it is not an alert.
        <Notice kind="info" action={<AskSupport id={id} />}>
          {name ? (
            <Trans>
              L’heure prévue est passée, et {name} n’a pas encore confirmé l’arrivée. Demandez au bénéficiaire
              s’il a reçu l’argent. Sinon, contactez notre assistance avec le numéro du transfert.
            </Trans>
          ) : (
            <Trans>
              L’heure prévue est passée. Demandez au bénéficiaire s’il a reçu l’argent. Sinon, contactez notre
              assistance avec le numéro du transfert.
            </Trans>
          )}
        </Notice>
      )
    }
    case 'late': {
      const answerBy = timeline.delivery?.answerBy ?? null
      return (
        <Notice kind="warning" action={<AskSupport id={id} />}>
          {answerBy !== null ? (
            <Answer by={answerBy} now={now} />
          ) : timeline.delivery?.isChecked ? (
            <Trans>
              Votre paiement est bien enregistré, et nous vérifions ce transfert avant de le remettre. Vous
              n’avez rien à faire : ne payez pas une seconde fois. S’il n’est pas remis, tout est remboursé
              sur votre carte, frais compris.
            </Trans>
          ) : (
            <Trans>
              Votre paiement est bien enregistré, et la remise prend plus de temps. Vous n’avez rien à faire :
              ne payez pas une seconde fois. Si elle échoue, tout est remboursé sur votre carte, frais
              compris.
            </Trans>
          )}
        </Notice>
      )
    }
    case 'failed':
    case 'canceled':
    case 'paidBack': {
      const { failure, canceledAt } = timeline.delivery
      if (canceledAt !== null)
        return (
          <Notice kind="info" title={<Trans>Vous avez annulé ce transfert.</Trans>}>
            <FullRefund />
          </Notice>
        )
      return (
        <Notice kind="warning" title={i18n._(failure === null ? CALLED_OFF : REASONS[failure])}>
          {timeline.stage === 'paidBack' ? (
            <Trans>
              Le bénéficiaire n’a rien reçu. Tout ce que vous aviez payé vous est rendu, frais compris.
            </Trans>
          ) : failure === null ? (
            <Trans>
              Le bénéficiaire n’a rien reçu. Ce qui ne vous est pas encore rendu le sera, par nous ou par
              votre banque.
            </Trans>
          ) : (
            <FullRefund />
          )}
        </Notice>
      )
    }
    default:
      return null
  }
}

/**
 * Promises no refund, because the law may forbid one, and names no reason, because the law forbids that too.
 */
function Answer({ by, now }: { by: number; now: number }) {
  const text = formatLocalMinute(by, useLanguage())
  return by <= now ? (
    <Trans>
      Votre paiement est bien enregistré, et nous vérifions toujours ce transfert. Notre réponse prend plus de
      temps que promis : écrivez à notre assistance avec le numéro du transfert. Ne payez pas une seconde
      fois.
    </Trans>
  ) : (
    <Trans>
      Votre paiement est bien enregistré, et nous vérifions ce transfert avant de le remettre. Vous aurez une
      réponse au plus tard le {text}. Vous n’avez rien à faire : ne payez pas une seconde fois.
    </Trans>
  )
}

const FullRefund = () => (
  <Trans>
    Le bénéficiaire n’a rien reçu. Tout est remboursé sur votre carte, frais compris, souvent en 5 à 10 jours.
    Si rien n’arrive en 14 jours, contactez notre assistance.
  </Trans>
)

const REASONS: Record<FinalFailure, MessageDescriptor> = {
  recipientUnknown: msg`Aucun portefeuille n’a ce numéro. Vérifiez-le avec le bénéficiaire avant un nouvel envoi.`,
  recipientNotAllowed: msg`Le portefeuille du bénéficiaire ne peut pas recevoir cet argent. Il peut en demander la raison à son opérateur.`,
  expired: msg`L’argent n’a pas été accepté à temps.`,
  canceled: msg`La remise de l’argent a été annulée.`,
  rejected: msg`La remise de l’argent a été refusée. Le bénéficiaire peut en demander la raison à son opérateur.`,
}
const CALLED_OFF = msg`Le paiement a été remboursé ou contesté avant la remise : le transfert a été arrêté.`

export function AskSupport({ id }: { id: string }) {
  const { t } = useLingui()
  const subject = encodeURIComponent(t`Transfert ${id}`)
  return (
    <Button component="a" variant="light" href={`mailto:${support.email}?subject=${subject}`}>
      <Trans>Écrire à notre assistance</Trans>
    </Button>
  )
}
