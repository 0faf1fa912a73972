import type { Query, QueryDocumentSnapshot } from 'firebase-admin/firestore'
import type { DueItem } from './chores.ts'

/** A chore shares its time fairly between the accounts of a page. */
const PAGE_SIZE = 500

export interface DueDocument extends DueItem {
  readonly document: QueryDocumentSnapshot
}

export async function* iterateDuePages(due: Query): AsyncGenerator<readonly DueDocument[]> {
  for await (const page of iteratePages(due)) yield page.map(toItem)
}

export async function* iteratePages(due: Query): AsyncGenerator<readonly QueryDocumentSnapshot[]> {
  const query = due.limit(PAGE_SIZE)
  let page = await query.get()
  while (!page.empty) {
    yield page.docs
    if (page.size < PAGE_SIZE) return
    page = await query.startAfter(page.docs.at(-1)).get()
  }
}

const toItem = (document: QueryDocumentSnapshot): DueDocument => ({
  id: document.id,
  account: (document.get('uid') as string | undefined) ?? document.id,
  document,
})
