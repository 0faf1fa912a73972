import { useLingui } from '@lingui/react/macro'
import { identityStanding } from '../../../domain/identity.ts'
import classes from './IdentityMark.module.css'
import { useIdentity } from './useIdentity.ts'

/** A green tick when an identity file is approved, a dot otherwise; in words for who listens. Specification, section 2. */
export function IdentityMark({ uid }: { uid: string }) {
  const { t } = useLingui()
  const { known } = useIdentity(uid)
  const { kind } = identityStanding(known?.files ?? [])
  const words = { none: t`à faire`, pending: t`en cours`, rejected: t`à corriger`, approved: t`faite` }
  return (
    <span className={classes.mark} data-kind={kind}>
      {kind === 'approved' && (
        <svg viewBox="0 0 24 24" aria-hidden="true">
          <path d="m5 13 4.500 4.500L19 7.500" />
        </svg>
      )}
      {known && <span className="unseen">{words[kind]}</span>}
    </span>
  )
}
