import { updateArrivalBadge } from '../pwa/arrivalBadge.ts'
import { loadDatabase } from '../pwa/loadDatabase.ts'
import { findServiceWorkers } from '../pwa/serviceWorkers.ts'

/** Marks an arrival as seen by the user, so that neither the app nor its badge announces it. */
export const markArrivalSeen = (uid: string, id: string): Promise<unknown> =>
  Promise.all([
    loadDatabase().then(({ withRows }) =>
      withRows(uid, ({ transactions }) => transactions.update(id, { arrivedSince: false })),
    ),
    clearArrivalBadge({ id }),
  ]).catch(() => undefined)

/** Removes seen arrivals from the app's badge, and closes their notifications. */
export async function clearArrivalBadge(seen: 'all' | { readonly id: string }): Promise<void> {
  const registration = await findServiceWorkers()?.getRegistration()
  if (registration) await updateArrivalBadge(registration, seen)
}
