import type { UserDatabase } from './database.ts'
import { hasLeft } from './signedOutUsers.ts'

/** A row of the person's database that this page wrote or read, and that somebody would miss. */
interface Row {
  /** Null when the form was not sent. */
  readonly attemptId: string | null
  readonly write: (rows: UserDatabase) => Promise<unknown>
}

// In the memory of this page only: a session that was ended elsewhere takes all of the person from the device, which may be in other
// hands now, and another tab may do so first. Who then signs in here as the same person goes on where they were.
const open = new Map<string, Row>()
let owner: string | null = null

/** Notes what is being typed or paid in this page, by its kind; null when it has come to an end. */
export function noteUnderWay(uid: string, kind: string, row: Row | null) {
  if (hasLeft(uid)) return
  if (owner !== uid) open.clear()
  owner = uid
  if (row) open.set(kind, row)
  else open.delete(kind)
}

/** What is noted of the person. */
export const rowsUnderWay = (uid: string): readonly Row[] => (owner === uid ? [...open.values()] : [])

export const forgetUnderWay = () => open.clear()

/** The attempt that is under way in this page, if any. */
export const attemptUnderWay = (uid: string): string | null =>
  rowsUnderWay(uid).find(({ attemptId }) => attemptId !== null)?.attemptId ?? null
