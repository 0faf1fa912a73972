import { MissingCode } from './MissingCode.tsx'
import classes from './toast.module.css'
import { type Toast, toasts } from './toast.ts'
import { useStore } from './useStore.ts'

/** Where toasts appear. Both lists are always there, so that assistive technology hears what comes into them. */
export function Toasts() {
  const shown = useStore(toasts)
  const isError = ({ kind }: Toast) => kind === 'error'
  return (
    <div className={classes.toasts}>
      <MissingCode />
      <div role="alert">
        <List toasts={shown.filter(isError)} />
      </div>
      <div role="status">
        <List toasts={shown.filter((toast) => !isError(toast))} />
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
