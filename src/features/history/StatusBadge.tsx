import { useLingui } from '@lingui/react'
import { type Status, statusColour } from '../../../domain/status.ts'
import { STATUS_NAMES } from '../../ui/payment/transferNames.ts'
import classes from './StatusBadge.module.css'

export function StatusBadge({ status }: { status: Status }) {
  const { i18n } = useLingui()
  return (
    <span className={classes.badge} data-colour={statusColour(status)}>
      {i18n._(STATUS_NAMES[status])}
    </span>
  )
}
