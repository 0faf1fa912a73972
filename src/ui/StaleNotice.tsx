import type { MessageDescriptor } from '@lingui/core'
import { Trans, useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { DisappearingButton } from './DisappearingButton.tsx'
import { Notice } from './Notice.tsx'

interface Retry {
  isAsking: boolean
  onRetry: () => void
}

/** Null without a problem. */
export function RefreshProblem({ problem, ...retry }: Retry & { problem: MessageDescriptor | false | null }) {
  const { i18n } = useLingui()
  return problem && <StaleNotice {...retry}>{i18n._(problem)}</StaleNotice>
}

export const StaleNotice = ({
  title,
  isAsking,
  onRetry,
  children,
}: Retry & { title?: ReactNode; children?: ReactNode }) => (
  <Notice
    kind="warning"
    title={title}
    action={
      // A disabled button would lose the focus.
      <DisappearingButton variant="light" aria-disabled={isAsking} onClick={() => !isAsking && onRetry()}>
        {isAsking ? <Trans>Nouvelle tentative…</Trans> : <Trans>Réessayer</Trans>}
      </DisappearingButton>
    }
  >
    {children && <p>{children}</p>}
  </Notice>
)
