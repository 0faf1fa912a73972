export interface NotificationData {
  /** Null for an unreadable message. */
  readonly id: string | null
  readonly isArrival: boolean
}

/** Closes the notifications that the user has seen: all, those of one transfer, or null for none. */
export async function updateArrivalBadge(
  registration: ServiceWorkerRegistration,
  seen: 'all' | { readonly id: string | null } | null,
): Promise<void> {
  let count = 0
  for (const notification of await registration.getNotifications()) {
    // A notification of the browser itself has no data.
    const data: NotificationData | null = notification.data
    if (!data?.isArrival) continue
    if (seen === 'all' || seen?.id === data.id) notification.close()
    else count += 1
  }
  await showBadge(count)
}

/** A browser may refuse it to an app that is not installed. */
export const showBadge = async (count: number): Promise<void> =>
  navigator.setAppBadge?.(count).catch(() => undefined)
