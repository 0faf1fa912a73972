import { getBuild } from '../browser/build.ts'
import type { UnreadRow, UserDatabase } from './database.ts'

export async function rememberUnread(
  { unread }: UserDatabase,
  list: UnreadRow['list'],
  { readIds, unreadIds }: { readonly readIds: readonly string[]; readonly unreadIds: readonly string[] },
): Promise<void> {
  await unread.bulkDelete([...readIds])
  await unread.bulkPut(unreadIds.map((id) => ({ id, list, build: getBuild() })))
}

/** Lists the IDs of at most `most` rows that only another build of the app has tried to read. */
export const listUntriedRows = (
  { unread }: UserDatabase,
  list: UnreadRow['list'],
  most: number,
): Promise<string[]> =>
  unread
    .where({ list })
    .filter(({ build }) => build !== getBuild())
    .limit(most)
    .primaryKeys()
