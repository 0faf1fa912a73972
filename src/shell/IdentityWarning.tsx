import { getIdentityState } from '../../domain/account/identity.ts'
import { checkIdentityApproved, isIdentityRequired } from '../../domain/account/identityLimit.ts'
import { getNextDayStart } from '../../domain/common/month.ts'
import type { Money, SourceCurrency } from '../../domain/money/money.ts'
import type { CapUse } from '../../domain/prices/capUse.ts'
import { toEurCents } from '../../domain/prices/limits.ts'
import { useIdentity } from '../features/identity/useIdentity.ts'
import { IdentityNotice } from '../features/transfer/IdentityNotice.tsx'
import { useServerNow } from '../ui/useServerNow.ts'

interface Props {
  readonly uid: string
  readonly gross: Money<SourceCurrency>
  readonly use: CapUse
  /** In EUR cents. */
  readonly limitCents: number
  readonly onIdentity: () => void
}

/** Warns only if, as far as this device knows, no document is approved. */
export function IdentityWarning(props: Props) {
  const { gross, use, limitCents } = props
  const monthCents = use.sentCents + use.inFlightCents + toEurCents(gross)
  return isIdentityRequired(monthCents, limitCents) ? <UnlessApproved {...props} /> : null
}

function UnlessApproved({ uid, gross, limitCents, onIdentity }: Props) {
  const { identity } = useIdentity(uid)
  const now = useServerNow(getNextDayStart)
  if (!identity) return null
  const approved = checkIdentityApproved(getIdentityState(identity.files, now), limitCents)
  return approved.ok ? null : (
    <IdentityNotice
      problem={approved.error}
      currency={gross.currency}
      isRefused={false}
      onIdentity={onIdentity}
    />
  )
}
