import { useSyncExternalStore } from 'react'
import { MissingCode } from './MissingCode.tsx'
import classes from './toast.module.css'
import { shownToasts, type Toast, watchToasts } from './toast.ts'

/** Where toasts appear. Both lists are always there, so that assistive technology hears what comes into them. */
export function Toasts() {
  const toasts = useSyncExternalStore(watchToasts, shownToasts, shownToasts)
  const isError = ({ kind }: Toast) => kind === 'error'
  return (
    <div className={classes.toasts}>
      <MissingCode />
      <div role="alert">
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
