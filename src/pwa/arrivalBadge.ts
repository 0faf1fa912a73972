/** Data of a notification: what a press on it opens, and whether it announces an arrival. */
export interface NotificationData {
  /** Transfer ID; null for an unreadable message. */
  readonly id: string | null
  readonly isArrival: boolean
}

/**
 * Shows on the app's icon how many arrivals the notifications on this device announce. Closes those that the
 * user has seen: all of them, or that of one transfer; null for none. Browsers without badges show none.
 */
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

/** Shows a number on the app's icon. A browser may refuse it to an app that is not installed. */
export const showBadge = async (count: number): Promise<void> =>
  navigator.setAppBadge?.(count).catch(() => undefined)
