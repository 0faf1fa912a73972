import { Trans } from '@lingui/react/macro'
import { Button } from '@mantine/core'
import type { Ref } from 'react'
import classes from './GoogleButton.module.css'

/** The button's action loads separately. */
export function GoogleButton({
  ref,
  isBusy,
  onClick,
}: {
  ref?: Ref<HTMLButtonElement>
  isBusy: boolean
  onClick: () => void
}) {
  return (
    <Button
      ref={ref}
      variant="outline"
      fullWidth
      loading={isBusy}
      onClick={onClick}
      leftSection={
        <svg viewBox="0 0 20 20" className={classes.mark} aria-hidden="true">
          <path stroke="var(--google-red)" d="M3.6 6.2A7.5 7.5 0 0 1 15.4 4.8" />
          <path stroke="var(--google-yellow)" d="M3.6 13.8a7.5 7.5 0 0 1 0-7.6" />
          <path stroke="var(--google-green)" d="M14.9 15.7A7.5 7.5 0 0 1 3.6 13.8" />
          <path stroke="var(--google-blue)" d="M10 10h7.5a7.5 7.5 0 0 1-2.6 5.7" />
        </svg>
      }
    >
      <Trans>Continuer avec Google</Trans>
    </Button>
  )
}
