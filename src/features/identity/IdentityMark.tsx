import { useLingui } from '@lingui/react/macro'
import { getSubmissionState } from '../../../domain/account/identity.ts'
import { getNextDayStart } from '../../../domain/common/month.ts'
import { CheckIcon } from '../../ui/icons/common.ts'
import { useServerNow } from '../../ui/useServerNow.ts'
import classes from './IdentityMark.module.css'
import { useIdentity } from './useIdentity.ts'

/** `isNamed`: shows the state in words too. Specification, section 2. */
export function IdentityMark({ uid, isNamed = false }: { uid: string; isNamed?: boolean }) {
  const { t } = useLingui()
  const { identity } = useIdentity(uid)
  const { kind } = getSubmissionState(identity?.files ?? [], useServerNow(getNextDayStart))
  const words = {
    ...{ none: t`à faire`, pending: t`en cours`, rejected: t`à corriger` },
    ...{ approved: t`faite`, expired: t`à renouveler`, expiring: t`à renouveler` },
  }
  return (
    <span className={classes.mark} data-kind={kind}>
      {kind === 'approved' && <CheckIcon />}
      {identity && <span className={isNamed ? classes.words : 'unseen'}>{words[kind]}</span>}
    </span>
  )
}
