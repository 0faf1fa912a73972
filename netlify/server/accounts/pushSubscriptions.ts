import type { Context } from '../platform/context.ts'
import { pushSubscriptions } from '../platform/records.ts'

const PAGE_SIZE = 100

/** @throws Firestore's error; calling again is safe. */
export async function deletePushSubscriptions(context: Pick<Context, 'db'>, uid: string): Promise<void> {
  const { docs } = await queryPushSubscriptions(context, uid).get()
  await Promise.all(docs.map(({ ref }) => ref.delete()))
}

export const queryPushSubscriptions = ({ db }: Pick<Context, 'db'>, uid: string) =>
  pushSubscriptions(db).where('uid', '==', uid).limit(PAGE_SIZE)
