import { expect } from 'vitest'
import { HOUR } from '../../domain/common/duration.ts'
import { MAX_TOKEN_LIFETIME } from '../server/endpoints/deleteAccount.ts'
import { ATTEMPT_LIFETIME } from '../server/endpoints/dueWork.ts'
import type { World } from './world.ts'

const MAX_WAIT = HOUR

/** UTC milliseconds; null if the job need not handle the document. */
function findDueTime(collection: string, data: Record<string, unknown>): number | null {
  const createdAt = Number(data.createdAt)
  if (typeof data.checkAt === 'number') return data.checkAt
  if (collection === 'attempts' && data.status === 'reserved') return createdAt + ATTEMPT_LIFETIME
  if (collection === 'refunds' && data.status === 'due') return Number(data.since)
  if (collection === 'deletions' && data.status === 'due') return createdAt + MAX_TOKEN_LIFETIME
  return null
}

export function findDueDocuments(world: World, ms = 0) {
  // A bank takes days for a refund, and no run of the job makes it faster.
  const atBank = new Set(
    world.sandbox.stripe
      .refunds()
      .flatMap(({ status, payment_intent: id }) => (status === 'pending' ? `refunds/${id}` : [])),
  )
  return Object.entries(world.sandbox.firestore.documents()).filter(([path, data]) => {
    const dueAt = findDueTime(path.split('/')[0] ?? '', data)
    return dueAt !== null && dueAt + ms <= world.now() && !atBank.has(path)
  })
}

/** Checks that no item has waited for more than an hour. Call it at least an hour after the last fault. */
export const checkLiveness = (world: World) =>
  expect(findDueDocuments(world, MAX_WAIT), 'items that have been due for more than an hour').toEqual([])
