import { useLingui } from '@lingui/react'
import { normaliseStatus, statusColour } from '../../../domain/status.ts'
import type { Transaction } from '../../../domain/transaction.ts'
import { RECEIVED, STATUS_NAMES } from '../../ui/payment/transferNames.ts'
import classes from './StatusBadge.module.css'

export function StatusBadge({ row }: { row: Pick<Transaction, 'type' | 'status'> }) {
  const { i18n } = useLingui()
  const status = normaliseStatus(row.status)
  const name = row.type === 'received' && status === 'completed' ? RECEIVED : STATUS_NAMES[status]
  return (
    <span className={classes.badge} data-colour={statusColour(status)}>
      {i18n._(name)}
    </span>
  )
}
