import { Trans, useLingui } from '@lingui/react/macro'
import { Button } from '@mantine/core'
import type { IdentityRequiredProblem } from '../../../domain/account/identityLimit.ts'
import type { SourceCurrency } from '../../../domain/money/money.ts'
import { Notice } from '../../ui/Notice.tsx'
import { getIdentityRequiredText } from './identityRequiredText.ts'

/** The form stays under the identity page, with everything typed. */
export function IdentityNotice({
  problem,
  currency,
  isRefused,
  onIdentity,
}: {
  problem: IdentityRequiredProblem
  currency: SourceCurrency
  /** Otherwise the form warns before the user pays. */
  isRefused: boolean
  onIdentity: () => void
}) {
  const { i18n } = useLingui()
  const { kind, title, text } = getIdentityRequiredText(problem, i18n, { currency, isRefused })
  return (
    <Notice
      kind={kind}
      title={title}
      isCalling={isRefused}
      action={
        <Button variant="subtle" onClick={onIdentity}>
          {problem.document === 'pending' ? (
            <Trans>Voir mon dossier</Trans>
          ) : (
            <Trans>Vérifier mon identité</Trans>
          )}
        </Button>
      }
    >
      {text}
    </Notice>
  )
}
