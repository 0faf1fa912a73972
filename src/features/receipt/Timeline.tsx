import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { providerName } from '../../../domain/delivery.ts'
import { asOfText } from '../../../domain/history.ts'
import type { DeliveryNews, FinalFailure } from '../../../domain/schemas/delivery.ts'
import { isLater, type Timeline as Standing } from '../../../domain/timeline.ts'
import { support } from '../../services/support.ts'
import { useLanguage } from '../../ui/useLanguage.ts'
import classes from './Timeline.module.css'

/**
 * How far a transfer has come: when it was paid, handed over and delivered, or when it is expected. When something is not as it should be
 * it says whether money moved, and what to do. That it arrived it says only when whoever paid it out has said so. `now`: UTC ms; `id`: of the transfer.
 */
export function Timeline({ id, timeline, now }: { id: string; timeline: Standing; now: number }) {
  return (
    <section className={classes.timeline} data-stage={timeline.stage}>
      <h3>
        <Trans>Où en est ce transfert</Trans>
      </h3>
      <ol>
        {timeline.stage === 'paying' ? (
          <li data-done="false">
            <Trans>Paiement en cours</Trans>
            <Moment ms={timeline.begunAt} now={now} />
          </li>
        ) : (
          <>
            <li data-done="true">
              <Trans>Payé</Trans>
              <Moment ms={timeline.paidAt} now={now} />
            </li>
            {timeline.delivery && <HandingOver delivery={timeline.delivery} now={now} />}
            <End timeline={timeline} now={now} />
          </>
        )}
      </ol>
      <Explained timeline={timeline} id={id} />
    </section>
  )
}

/** That somebody else has the money to bring it. People who pay by hand bring it themselves: of them only the delivery is told. */
function HandingOver({ delivery, now }: { delivery: DeliveryNews; now: number }) {
  const { stage, by, handedOverAt } = delivery
  const name = providerName(by)
  if (handedOverAt !== null && name)
    return (
      <li data-done="true">
        <Trans>Remis à {name}</Trans>
        <Moment ms={handedOverAt} now={now} />
      </li>
    )
  if (stage !== 'ordered') return null
  return (
    <li data-done="false">
      {name ? <Trans>En cours de remise à {name}</Trans> : <Trans>En cours de remise au bénéficiaire</Trans>}
    </li>
  )
}

type Paid = Exclude<Standing, { stage: 'paying' }>

/** The last post: what is expected, or what became of it. */
function End({ timeline, now }: { timeline: Paid; now: number }) {
  switch (timeline.stage) {
    case 'late':
    case 'onItsWay':
    case 'due':
      return isLater(timeline) ? (
        <li data-done="false">
          <Trans>Arrivée plus tard que prévu</Trans>
        </li>
      ) : (
        <li data-done="false">
          <Trans>Arrivée prévue au plus tard</Trans>
          <Moment ms={timeline.expectedBy} now={now} />
        </li>
      )
    case 'delivered': {
      const { deliveredAt, proof } = timeline.delivery
      return (
        <li data-done="true">
          <Trans>Remis au bénéficiaire</Trans>
          {deliveredAt !== null && <Moment ms={deliveredAt} now={now} />}
          {proof && (
            <span className={classes.proof}>
              <Trans>Référence du portefeuille : {proof}</Trans>
            </span>
          )}
        </li>
      )
    }
    case 'failed':
    case 'paidBack':
      return (
        <>
          <li data-done="true">
            <Trans>N’a pas pu être remis</Trans>
          </li>
          <li data-done={timeline.stage === 'paidBack'}>
            {timeline.stage === 'paidBack' ? <Trans>Remboursé</Trans> : <Trans>À rembourser</Trans>}
          </li>
        </>
      )
  }
}

/** What is not as it should be: whether money moved, and what to do. */
function Explained({ timeline, id }: { timeline: Standing; id: string }) {
  const { i18n } = useLingui()
  switch (timeline.stage) {
    case 'due': {
      const name = timeline.delivery && providerName(timeline.delivery.by)
      return (
        <>
          <p>
            {name ? (
              <Trans>
                L’heure prévue est passée, et {name} n’a pas encore confirmé l’arrivée. Demandez au
                bénéficiaire s’il a reçu l’argent. Sinon, contactez notre assistance avec le numéro du
                transfert.
              </Trans>
            ) : (
              <Trans>
                L’heure prévue est passée. Demandez au bénéficiaire s’il a reçu l’argent. Sinon, contactez
                notre assistance avec le numéro du transfert.
              </Trans>
            )}
          </p>
          <AskSupport id={id} />
        </>
      )
    }
    case 'late':
      return (
        <>
          <p>
            <Trans>
              Votre paiement est bien enregistré, et la remise prend plus de temps. Vous n’avez rien à faire :
              ne payez pas une seconde fois. Si elle échoue, tout est remboursé sur votre carte, frais
              compris.
            </Trans>
          </p>
          <AskSupport id={id} />
        </>
      )
    case 'failed':
    case 'paidBack': {
      const { failure } = timeline.delivery
      return (
        <>
          <p>{i18n._(failure === null ? CALLED_OFF : REASONS[failure])}</p>
          <p>
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
              <Trans>
                Le bénéficiaire n’a rien reçu. Tout est remboursé sur votre carte, frais compris. Le délai
                dépend de votre banque, souvent 5 à 10 jours.
              </Trans>
            )}
          </p>
        </>
      )
    }
    default:
      return null
  }
}

/** Why it will never be paid out. Only what the person can do something about is said more closely. */
const REASONS: Record<FinalFailure, MessageDescriptor> = {
  recipientUnknown: msg`Aucun portefeuille n’a ce numéro. Vérifiez-le avec le bénéficiaire avant un nouvel envoi.`,
  recipientNotAllowed: msg`Le portefeuille du bénéficiaire ne peut pas recevoir cet argent. Il peut en demander la raison à son opérateur.`,
  expired: msg`L’argent n’a pas été accepté à temps.`,
  canceled: msg`La remise de l’argent a été annulée.`,
  rejected: msg`La remise de l’argent a été refusée. Le bénéficiaire peut en demander la raison à son opérateur.`,
}
const CALLED_OFF = msg`Le paiement a été remboursé ou contesté avant la remise : le transfert a été arrêté.`

function AskSupport({ id }: { id: string }) {
  const { t } = useLingui()
  return (
    <Button component="a" variant="default" href={mailTo(t`Transfert ${id}`)}>
      <Trans>Écrire à notre assistance</Trans>
    </Button>
  )
}

/** Opens the mail app. The number of the transfer stands in the subject: nobody has to copy it. */
const mailTo = (subject: string) => `mailto:${support.email}?subject=${encodeURIComponent(subject)}`

/** The instant in the person's language: the time alone on the same day. */
function Moment({ ms, now }: { ms: number; now: number }): ReactNode {
  const { isToday, text } = asOfText(ms, now, useLanguage())
  return (
    <time dateTime={new Date(ms).toISOString()}>{isToday ? <Trans>aujourd’hui à {text}</Trans> : text}</time>
  )
}
