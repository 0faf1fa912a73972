import { loadDatabase } from '../pwa/loadDatabase.ts'

/** Marks an arrival as seen by the user, so that it is not announced. */
export const markArrivalSeen = (uid: string, id: string): Promise<unknown> =>
  loadDatabase()
    .then(({ withRows }) =>
      withRows(uid, ({ transactions }) => transactions.update(id, { arrivedSince: false })),
    )
    .catch(() => undefined)
