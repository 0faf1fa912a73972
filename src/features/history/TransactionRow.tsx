import { useLingui } from '@lingui/react'
import { Trans } from '@lingui/react/macro'
import { formatActivityDate } from '../../../domain/common/activityDate.ts'
import { formatMoney, fromMajor } from '../../../domain/money/money.ts'
import { groupPhone } from '../../../domain/numbers/phone.ts'
import { getStateColor, getTransferState, type TransferState } from '../../../domain/transfers/progress.ts'
import { getNextTimelineChangeTime } from '../../../domain/transfers/timeline.ts'
import { getAmounts, type Transaction } from '../../../domain/transfers/transaction.ts'
import { serverNow } from '../../browser/serverTime.ts'
import { Avatar } from '../../ui/Avatar.tsx'
import { AlertIcon, CheckIcon, ClockIcon, CloseIcon } from '../../ui/icons/common.ts'
import type { Icon } from '../../ui/icons/createIcon.tsx'
import { ProgressArch } from '../../ui/ProgressArch.tsx'
import { STATUS_NAMES } from '../../ui/payment/statusNames.ts'
import { useLanguage } from '../../ui/useLanguage.ts'
import { useServerNow } from '../../ui/useServerNow.ts'
import classes from './TransactionRow.module.css'

const ICONS: Partial<Record<TransferState, Icon>> = {
  completed: CheckIcon,
  received: CheckIcon,
  delivered: CheckIcon,
  canceled: CloseIcon,
  failed: AlertIcon,
  notDelivered: AlertIcon,
  refunded: AlertIcon,
}

/** Received money has a plus sign before the amount, and shows no price. Specification, section 9. */
export function TransactionRow({
  row,
  name,
  onOpen,
}: {
  row: Transaction
  name?: string | undefined
  onOpen: () => void
}) {
  const language = useLanguage()
  const isReceived = row.type === 'received'
  return (
    <button type="button" translate="no" className={classes.row} onClick={onOpen}>
      <Avatar name={name} phone={row.recipientPhone} />
      <span className={classes.lines}>
        <span className={classes.line}>
          <span className={classes.name} data-number={isReceived || name ? undefined : true}>
            {isReceived ? <Trans>Argent reçu</Trans> : (name ?? groupPhone(row.recipientPhone))}
          </span>
          <span className={classes.amount}>
            {isReceived && '+\u00a0'}
            {formatMoney(fromMajor(row.convertedAmount, row.destinationCurrency), language)}
          </span>
        </span>
        <span className={`${classes.line} ${classes.note}`}>
          <span>
            <StateLabel row={row} />{' '}
            <span className={classes.when}>
              <When at={row.createdAt} />
            </span>
          </span>
          {!isReceived && (
            <span className={classes.paid}>{formatMoney(getAmounts(row).gross, language)}</span>
          )}
        </span>
      </span>
    </button>
  )
}

function When({ at }: { at: number }) {
  const date = formatActivityDate(at, serverNow(), useLanguage())
  return date.kind === 'justNow' ? <Trans>à l’instant</Trans> : date.text
}

function StateLabel({ row }: { row: Transaction }) {
  const { i18n } = useLingui()
  const now = useServerNow((now) => getNextTimelineChangeTime(row, now))
  const state = getTransferState(row, now)
  const StateIcon = ICONS[state] ?? ClockIcon
  return (
    <span className={classes.state} data-color={getStateColor(state)}>
      {state === 'onItsWay' ? (
        <ProgressArch progress={{ reached: 50, state: 'moving' }} isSmall />
      ) : (
        <StateIcon isSmall />
      )}
      {i18n._(STATUS_NAMES[state])}
    </span>
  )
}
