import { updateArrivalBadge } from '../pwa/arrivalBadge.ts'
import { loadDatabase } from '../pwa/loadDatabase.ts'
import { findServiceWorkers } from '../pwa/serviceWorkers.ts'

export const markArrivalSeen = (uid: string, id: string): Promise<unknown> =>
  Promise.all([
    loadDatabase().then(({ withRows }) =>
      withRows(uid, ({ transactions }) => transactions.update(id, { arrivedSince: false })),
    ),
    clearArrivalBadge({ id }),
  ]).catch(() => undefined)

export async function clearArrivalBadge(seen: 'all' | { readonly id: string }): Promise<void> {
  const registration = await findServiceWorkers()?.getRegistration()
  if (registration) await updateArrivalBadge(registration, seen)
}
