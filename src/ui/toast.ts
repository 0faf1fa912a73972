import { notifications } from '@mantine/notifications'
import classes from './toast.module.css'

/** How long a message stays, in milliseconds. Specification, section 9. */
const STAYS = { success: 2000, info: 4000, error: 4000 } as const

export type ToastKind = keyof typeof STAYS

/** A short message over the page; at most 20 at once, see the mount in the shell. */
export function toast(kind: ToastKind, message: string) {
  notifications.show({
    message,
    autoClose: STAYS[kind],
    withBorder: false,
    classNames: { root: classes.toast, description: classes.text },
    'data-kind': kind,
    role: kind === 'error' ? 'alert' : 'status',
  })
}

export const MOST_TOASTS = 20
