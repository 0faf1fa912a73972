import { Trans, useLingui } from '@lingui/react/macro'
import { formatTimeOrDate } from '../../../domain/records/history.ts'
import type { ProgressStage } from '../../../domain/transfers/progress.ts'
import { createInstantFormat } from '../../../print/receiptContent.ts'
import { useLanguage } from '../../ui/useLanguage.ts'
import classes from './Receipt.module.css'

/** An arrival is shown only if the provider has confirmed it. `now`: UTC ms. */
export function ProgressStages({ stages, now }: { stages: readonly ProgressStage[]; now: number }) {
  const { t } = useLingui()
  return (
    <ol className={classes.stages} aria-label={t`Où en est ce transfert`}>
      {stages.map((stage) => (
        <li key={stage.name} className={classes.stage}>
          <span>
            <StageName {...stage} />
          </span>{' '}
          {stage.at !== null && <Moment ms={stage.at} isLimit={stage.name === 'expected'} now={now} />}
        </li>
      ))}
    </ol>
  )
}

function StageName(stage: ProgressStage) {
  switch (stage.name) {
    case 'paying':
      return <Trans>Paiement en cours</Trans>
    case 'paid':
      return <Trans>Payé</Trans>
    case 'checked':
      return <Trans>En cours de vérification</Trans>
    case 'handingOver':
      return <Trans>En cours de remise</Trans>
    case 'handedOver': {
      const { provider } = stage
      return <Trans>Remis à {provider}</Trans>
    }
    case 'expected':
      return <Trans>Arrivée prévue</Trans>
    case 'late':
      return <Trans>Arrivée plus tard que prévu</Trans>
    case 'delivered':
      return <Trans>Arrivé</Trans>
    case 'notDelivered':
      return <Trans>N’a pas pu être remis</Trans>
    case 'canceled':
      return <Trans>Annulé</Trans>
    case 'toRefund':
      return <Trans>À rembourser</Trans>
    case 'refunded':
      return <Trans>Remboursé</Trans>
  }
}

/** `isLimit`: the instant is a deadline. */
function Moment({ ms, isLimit, now }: { ms: number; isLimit: boolean; now: number }) {
  const language = useLanguage()
  const { isToday, text: time } = formatTimeOrDate(ms, now, language)
  // On another day, the user may have been in another time zone.
  const text = isToday ? time : createInstantFormat(language).format(ms)
  return (
    <time dateTime={new Date(ms).toISOString()}>
      {!isLimit ? text : isToday ? <Trans>avant {text}</Trans> : <Trans>avant le {text}</Trans>}
    </time>
  )
}
