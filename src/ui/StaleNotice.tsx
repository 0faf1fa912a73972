import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { DisappearingButton } from './DisappearingButton.tsx'
import { Notice } from './Notice.tsx'

export function StaleNotice({
  title,
  isAsking,
  onRetry,
  children,
}: {
  title?: ReactNode
  isAsking: boolean
  onRetry: () => void
  children?: ReactNode
}) {
  return (
    <Notice kind="warning" title={title} action={<RetryButton isAsking={isAsking} onRetry={onRetry} />}>
      {children && <p>{children}</p>}
    </Notice>
  )
}

function RetryButton({ isAsking, onRetry }: { isAsking: boolean; onRetry: () => void }) {
  return (
    // A disabled button would lose the focus.
    <DisappearingButton variant="light" aria-disabled={isAsking} onClick={() => !isAsking && onRetry()}>
      {isAsking ? <Trans>Nouvelle tentative…</Trans> : <Trans>Réessayer</Trans>}
    </DisappearingButton>
  )
}
