import { Trans } from '@lingui/react/macro'
import { Button } from '@mantine/core'
import { useSyncExternalStore } from 'react'
import classes from './toast.module.css'
import { shownToasts, type Toast, watchToasts } from './toast.ts'
import { isCodeMissing, watchMissingCode } from './untilLoaded.ts'

/** Where toasts appear. Both lists are always there, so that assistive technology hears what comes into them. */
export function Toasts() {
  const toasts = useSyncExternalStore(watchToasts, shownToasts, shownToasts)
  const isError = ({ kind }: Toast) => kind === 'error'
  return (
    <div className={classes.toasts}>
      <div role="alert">
        <MissingCode />
        <List toasts={toasts.filter(isError)} />
      </div>
      <div role="status">
        <List toasts={toasts.filter((toast) => !isError(toast))} />
      </div>
    </div>
  )
}

const List = ({ toasts }: { toasts: readonly Toast[] }) =>
  toasts.map(({ id, kind, message }) => (
    <p key={id} className={classes.toast} data-kind={kind}>
      {message}
    </p>
  ))

/** Stays until the code has come after all. */
function MissingCode() {
  const isMissing = useSyncExternalStore(watchMissingCode, isCodeMissing, () => false)
  return (
    isMissing && (
      <div className={classes.toast} data-kind="error">
        <p>
          <Trans>
            Une partie de l’application n’a pas pu être chargée. Rouvrez-la pour continuer. Si un paiement
            était en cours, son résultat s’affichera.
          </Trans>
        </p>
        <Button onClick={() => location.reload()}>
          <Trans>Rouvrir l’application</Trans>
        </Button>
      </div>
    )
  )
}
