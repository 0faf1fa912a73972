import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { Notice } from './Notice.tsx'
import { PassingButton } from './PassingButton.tsx'
import { useOnline } from './useOnline.ts'

/** Says why what is shown may not be up to date, and offers to ask again. Without a network the app asks by itself when it is back. */
export function NotFresh({
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
  const isOnline = useOnline()
  return (
    <Notice kind="warning" title={title} action={isOnline && <Retry isAsking={isAsking} onRetry={onRetry} />}>
      {children && <p>{children}</p>}
    </Notice>
  )
}

function Retry({ isAsking, onRetry }: { isAsking: boolean; onRetry: () => void }) {
  return (
    // A disabled button would lose the focus.
    <PassingButton variant="default" aria-disabled={isAsking} onClick={() => !isAsking && onRetry()}>
      {isAsking ? <Trans>Nouvelle tentative…</Trans> : <Trans>Réessayer</Trans>}
    </PassingButton>
  )
}
