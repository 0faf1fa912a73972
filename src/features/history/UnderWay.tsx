import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { formatMoney } from '../../../domain/money/money.ts'
import { groupPhone } from '../../../domain/numbers/phone.ts'
import { formatTimeOrDate } from '../../../domain/records/history.ts'
import { computeProgress, findUnderWay, type Progress } from '../../../domain/transfers/progress.ts'
import { getNextTimelineChangeTime } from '../../../domain/transfers/timeline.ts'
import { getAmounts } from '../../../domain/transfers/transaction.ts'
import type { StoredTransaction } from '../../cache/database.ts'
import { ForwardIcon } from '../../ui/icons/common.ts'
import { ProgressArch } from '../../ui/ProgressArch.tsx'
import { useLanguage } from '../../ui/useLanguage.ts'
import { useServerNow } from '../../ui/useServerNow.ts'
import classes from './UnderWay.module.css'
import { useRecentTransfers } from './useRecentTransfers.ts'

/** `renderHeading` gets whether a transfer on its way replaces the form's visible heading. */
export function UnderWay({
  uid,
  onOpen,
  children: renderHeading,
}: {
  uid: string
  onOpen: (transaction: StoredTransaction) => void
  children: (isReplaced: boolean) => ReactNode
}) {
  const language = useLanguage()
  const recent = useRecentTransfers(uid)
  const find = (now: number) => findUnderWay(recent?.rows ?? [], now)
  const now = useServerNow((now) => {
    const next = find(now)
    return next && getNextTimelineChangeTime(next.row, now)
  })
  const underWay = find(now)
  if (!recent || !underWay) return renderHeading(false)
  const { row, timeline } = underWay
  const progress = computeProgress(timeline)
  const name =
    recent.names.get(row.recipientPhone)?.trim().split(/\s/)[0] ?? getNationalNumber(row.recipientPhone)
  return (
    <>
      {renderHeading(true)}
      <button type="button" translate="no" className={classes.strip} onClick={() => onOpen(row)}>
        <ProgressArch progress={progress} isSmall />
        <span className={classes.lines}>
          <span className={classes.title}>
            <span>{name} ·</span> <span>{formatMoney(getAmounts(row).converted, language)}</span>
          </span>
          <span className={classes.news}>
            <News {...progress} now={now} />
          </span>
        </span>
        <ForwardIcon isSmall />
      </button>
    </>
  )
}

/** The currency implies the prefix of the number. */
const getNationalNumber = (phone: string) => groupPhone(phone).replace(/^\S+ /, '')

function News({ stages, now }: Progress & { now: number }) {
  const language = useLanguage()
  const [end, last] = [stages.at(-1), stages.at(-2)]
  if (end?.name === 'toRefund')
    return (
      <>
        <Trans>Non remis</Trans> · <Trans>À rembourser</Trans>
      </>
    )
  if (end?.name === 'late') return <Trans>Arrivée plus tard que prévu</Trans>
  if (!end?.at) return null
  const { isToday, text } = formatTimeOrDate(end.at, now, language)
  const expected = isToday ? <Trans>prévu avant {text}</Trans> : <Trans>prévu avant le {text}</Trans>
  switch (last?.name) {
    case 'handedOver': {
      const { provider } = last
      return (
        <Trans>
          Remis à {provider}, {expected}
        </Trans>
      )
    }
    case 'handingOver':
      return <Trans>En cours de remise, {expected}</Trans>
    case 'checked':
      return <Trans>En cours de vérification, {expected}</Trans>
    default:
      return <Trans>Payé, {expected}</Trans>
  }
}
