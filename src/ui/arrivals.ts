import { loadDatabase } from '../pwa/loadDatabase.ts'

/** The person knows now that the transfer has arrived: it is not announced. */
export const noteArrivalTold = (uid: string, id: string): Promise<unknown> =>
  loadDatabase()
    .then(({ withRows }) =>
      withRows(uid, ({ transactions }) => transactions.update(id, { arrivedSince: false })),
    )
    .catch(() => undefined)
