import { Trans } from '@lingui/react/macro'
import { asOfText } from '../../../domain/history.ts'
import type { DeliveryNews } from '../../../domain/schemas/delivery.ts'
import { nextTurn, timelineOf } from '../../../domain/timeline.ts'
import type { Transaction } from '../../../domain/transaction.ts'
import { useLanguage } from '../../ui/useLanguage.ts'
import { useServerNow } from '../../ui/useServerNow.ts'

/** What became of the delivery of a transfer, in a word or two; nothing where nobody knows. */
export function DeliveryNote({ row }: { row: Transaction }) {
  const language = useLanguage()
  const now = useServerNow((now) => nextTurn(row, now))
  const timeline = timelineOf(row, now)
  if (timeline === null || timeline.stage === 'paying' || !timeline.delivery) return null
  const { delivery } = timeline
  switch (timeline.stage) {
    case 'onItsWay':
      return <OnItsWay {...delivery} />
    case 'late':
    case 'due':
      return <Trans>Plus tard que prévu</Trans>
    case 'delivered': {
      const { isToday, text } = asOfText(delivery.deliveredAt ?? 0, now, language)
      return isToday ? <Trans>Arrivé à {text}</Trans> : <Trans>Arrivé</Trans>
    }
    case 'failed':
      return <Trans>Non remis</Trans>
    case 'paidBack':
      return <Trans>Remboursé</Trans>
  }
}

function OnItsWay({ stage, by }: DeliveryNews) {
  if (stage === 'ordered') return <Trans>En cours de remise</Trans>
  return by === 'mtn' ? <Trans>Remis à MTN</Trans> : <Trans>En route</Trans>
}
