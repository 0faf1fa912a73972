import { Trans, useLingui } from '@lingui/react/macro'
import { Button } from '@mantine/core'
import type { SourceCurrency } from '../../../domain/money/money.ts'
import type { PriceChange } from '../../../machines/checkoutTypes.ts'
import type { TransferCheckoutProblem, TransferParts } from '../../../machines/transfer.ts'
import { Notice } from '../../ui/Notice.tsx'
import { getPriceChangeText, getTransferCheckoutText } from './checkoutMessages.ts'
import { IdentityNotice } from './IdentityNotice.tsx'

/** Specification, section 8. */
export function CheckoutNotice({
  problem,
  change,
  currency,
  onIdentity,
  onProfile,
}: {
  problem: TransferCheckoutProblem | null
  change: PriceChange<TransferParts> | null
  currency: SourceCurrency
  onIdentity: () => void
  onProfile: () => void
}) {
  const { i18n } = useLingui()
  if (problem?.kind === 'identityRequired')
    return <IdentityNotice problem={problem} currency={currency} isRefused onIdentity={onIdentity} />
  const explanation = problem && getTransferCheckoutText(problem, i18n, currency)
  const changed = change && getPriceChangeText(change.before.quote, change.after.quote, i18n)
  return (
    <>
      {explanation && (
        <Notice
          key={explanation.title}
          kind={explanation.kind}
          title={explanation.title}
          isCalling
          action={
            problem.kind === 'nameRequired' && (
              <Button variant="subtle" onClick={onProfile}>
                <Trans>Ouvrir mon profil</Trans>
              </Button>
            )
          }
        >
          {explanation.text}
        </Notice>
      )}
      {changed && (
        <Notice kind={changed.kind} title={changed.title} isCalling>
          {changed.text}
        </Notice>
      )}
    </>
  )
}
