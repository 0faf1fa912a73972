import { Trans } from '@lingui/react/macro'
import { Button } from '@mantine/core'
import { type ReactNode, useLayoutEffect, useRef } from 'react'
import { focusHeading } from './focusHeading.ts'
import classes from './NotFresh.module.css'
import { Notice } from './Notice.tsx'
import { useOnline } from './useOnline.ts'

/** Why what is shown may not be up to date, and the way to ask again; without a network that happens when it is back. */
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
  const button = useRef<HTMLButtonElement>(null)
  // An answer takes the button away, and the focus with it.
  useLayoutEffect(
    () => () => {
      if (button.current && button.current === document.activeElement)
        focusHeading(button.current.closest('section, main'))
    },
    [],
  )
  return (
    <Notice kind="warning" title={title}>
      {children && <p>{children}</p>}
      {isOnline && (
        // A button that is disabled meanwhile would lose the focus.
        <Button
          ref={button}
          variant="default"
          className={classes.retry}
          aria-disabled={isAsking}
          onClick={() => !isAsking && onRetry()}
        >
          {isAsking ? <Trans>Nouvel essai…</Trans> : <Trans>Réessayer</Trans>}
        </Button>
      )}
    </Notice>
  )
}
