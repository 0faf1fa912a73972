import { Trans, useLingui } from '@lingui/react/macro'
import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { asOfText } from '../../../domain/history.ts'
import { timelineOf } from '../../../domain/timeline.ts'
import type { Transaction } from '../../../domain/transaction.ts'
import { support } from '../../services/support.ts'
import { useLanguage } from '../../ui/useLanguage.ts'
import { useServerNow } from '../../ui/useServerNow.ts'
import classes from './Timeline.module.css'

/** How far a transfer has come: when it was paid, and when it is expected. After that time it says what to do. It never says that the money arrived. */
export function Timeline({ transaction }: { transaction: Transaction }) {
  const { t } = useLingui()
  const now = useServerNow((now) => {
    const timeline = timelineOf(transaction, now)
    return timeline?.stage === 'onItsWay' ? timeline.expectedBy : null
  })
  const timeline = timelineOf(transaction, now)
  if (!timeline) return null
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
            <li data-done="false">
              <Trans>Arrivée prévue au plus tard</Trans>
              <Moment ms={timeline.expectedBy} now={now} />
            </li>
          </>
        )}
      </ol>
      {timeline.stage === 'due' && (
        <>
          <p>
            <Trans>
              L’heure prévue est passée. Demandez au bénéficiaire s’il a reçu l’argent. Sinon, contactez notre
              assistance avec le numéro du transfert.
            </Trans>
          </p>
          <Button component="a" variant="default" href={mailTo(t`Transfert ${transaction.id}`)}>
            <Trans>Écrire à notre assistance</Trans>
          </Button>
        </>
      )}
    </section>
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
