import { MissingCode } from '../ui/MissingCode.tsx'
import { NOTICE_ICONS } from '../ui/Notice.tsx'
import classes from '../ui/toast.module.css'
import { type Toast, toasts } from '../ui/toast.ts'
import { useStore } from '../ui/useStore.ts'

/** Both lists are always in the page, so that assistive technology announces new entries. */
export function Toasts() {
  const visible = useStore(toasts)
  const isError = ({ kind }: Toast) => kind === 'error'
  return (
    <div className={classes.toasts}>
      <MissingCode />
      <div role="alert">
        <List toasts={visible.filter(isError)} />
      </div>
      <div role="status">
        <List toasts={visible.filter((toast) => !isError(toast))} />
      </div>
    </div>
  )
}

const List = ({ toasts }: { toasts: readonly Toast[] }) =>
  toasts.map(({ id, kind, message }) => {
    const Icon = NOTICE_ICONS[kind]
    return (
      <p key={id} className={classes.toast} data-kind={kind}>
        <Icon />
        {message}
      </p>
    )
  })
