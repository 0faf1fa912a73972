import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { useLingui } from '@lingui/react'
import { type Status, statusColour } from '../../domain/status.ts'
import classes from './StatusBadge.module.css'

const NAMES: Record<Status, MessageDescriptor> = {
  completed: msg`Payé`,
  pending: msg`En cours`,
  failed: msg`Échoué`,
  canceled: msg`Annulé`,
  unknown: msg`Inconnu`,
}

export function StatusBadge({ status }: { status: Status }) {
  const { i18n } = useLingui()
  return (
    <span className={classes.badge} data-colour={statusColour(status)}>
      {i18n._(NAMES[status])}
    </span>
  )
}
