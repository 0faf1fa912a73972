import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { useLingui } from '@lingui/react'
import { computeIdentitySteps, type IdentityStep } from '../../../domain/account/identity.ts'
import classes from './IdentitySteps.module.css'

const NAMES: Record<IdentityStep, MessageDescriptor> = {
  details: msg`Informations`,
  document: msg`Document`,
  review: msg`Vérification`,
}

export function IdentitySteps({ done }: { done: Readonly<Record<IdentityStep, boolean>> }) {
  const { i18n } = useLingui()
  return (
    <ol className={classes.steps}>
      {computeIdentitySteps(done).map(({ step, progress }) => (
        <li key={step} data-progress={progress} aria-current={progress === 'current' ? 'step' : undefined}>
          {i18n._(NAMES[step])}
        </li>
      ))}
    </ol>
  )
}
