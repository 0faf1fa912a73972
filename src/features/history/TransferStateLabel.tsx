import { useLingui } from '@lingui/react'
import { getStateColor, getTransferState, type TransferState } from '../../../domain/transfers/progress.ts'
import { getNextTimelineChangeTime } from '../../../domain/transfers/timeline.ts'
import type { Transaction } from '../../../domain/transfers/transaction.ts'
import { AlertIcon, CheckIcon, ClockIcon, CloseIcon } from '../../ui/icons/common.ts'
import type { Icon } from '../../ui/icons/createIcon.tsx'
import { ProgressArch } from '../../ui/ProgressArch.tsx'
import { STATUS_NAMES } from '../../ui/payment/statusNames.ts'
import { useServerNow } from '../../ui/useServerNow.ts'
import classes from './TransferStateLabel.module.css'

const ICONS: Partial<Record<TransferState, Icon>> = {
  completed: CheckIcon,
  received: CheckIcon,
  delivered: CheckIcon,
  canceled: CloseIcon,
  failed: AlertIcon,
  notDelivered: AlertIcon,
  refunded: AlertIcon,
}

export function TransferStateLabel({ row }: { row: Transaction }) {
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
