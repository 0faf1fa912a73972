import type { Path } from './names.ts'
import { StatusError } from './status.ts'
import type { StoredDocument } from './store.ts'

export type LockRequest =
  | { readonly kind: 'document'; readonly path: Path }
  | {
      readonly kind: 'query'
      /** Only identical queries share the key. */
      readonly key: string
      matches(path: Path, document: StoredDocument): boolean
    }
  | {
      readonly kind: 'write'
      readonly path: Path
      /** Null if the write would delete the document. */
      after(): StoredDocument | null
    }

/** Compared by identity. */
export type LockHolder = object

interface Waiter {
  readonly holder: LockHolder
  readonly claims: readonly LockRequest[]
  grant(): void
  refuse(error: StatusError): void
}

const createContentionError = () =>
  new StatusError('ABORTED', 'Too much contention on these documents. Please try again.')

/**
 * Grants conflicting claims one at a time, in the order of the requests. (The real service lets transactions
 * read together and aborts all but one when they write; the result is the same.) `waitMs` limits every wait,
 * in real time.
 */
export function createLocks(stored: (path: Path) => StoredDocument | null, waitMs: number) {
  const held = new Map<LockHolder, LockRequest[]>()
  let waiters: Waiter[] = []

  const isInConflict = (a: LockRequest, b: LockRequest): boolean => {
    if (a.kind === 'query') return b.kind === 'query' ? a.key === b.key : touches(b, a)
    return b.kind === 'query' ? touches(a, b) : a.path === b.path
  }
  const touches = (
    claim: Exclude<LockRequest, { kind: 'query' }>,
    query: Extract<LockRequest, { kind: 'query' }>,
  ) => {
    const states = [stored(claim.path), claim.kind === 'write' ? claim.after() : null]
    return states.some((state) => state !== null && query.matches(claim.path, state))
  }
  const areInConflict = (some: readonly LockRequest[], others: readonly LockRequest[]) =>
    some.some((a) => others.some((b) => isInConflict(a, b)))

  /** A holder that already has locks goes before waiting holders. */
  const findBlockers = (
    { holder, claims }: Pick<Waiter, 'holder' | 'claims'>,
    earlier: readonly Waiter[],
  ) => {
    const holding = [...held]
      .filter(([other, theirs]) => other !== holder && areInConflict(claims, theirs))
      .map(([other]) => other)
    const waiting = held.has(holder)
      ? []
      : earlier.filter((other) => other.holder !== holder && areInConflict(claims, other.claims))
    return new Set([...holding, ...waiting.map((other) => other.holder)])
  }

  const isDeadlock = (start: LockHolder, first: Iterable<LockHolder>): boolean => {
    const seen = new Set<LockHolder>()
    const reaches = (holder: LockHolder): boolean => {
      if (holder === start) return true
      if (seen.has(holder)) return false
      seen.add(holder)
      return waiters.some(
        (waiter, i) =>
          waiter.holder === holder && [...findBlockers(waiter, waiters.slice(0, i))].some(reaches),
      )
    }
    return [...first].some(reaches)
  }

  const hold = (holder: LockHolder, claims: readonly LockRequest[]) =>
    held.set(holder, [...(held.get(holder) ?? []), ...claims])

  const grantWaiters = () => {
    const stillWaiting: Waiter[] = []
    const granted: Waiter[] = []
    for (const waiter of waiters) {
      if (findBlockers(waiter, stillWaiting).size > 0) stillWaiting.push(waiter)
      else {
        hold(waiter.holder, waiter.claims)
        granted.push(waiter)
      }
    }
    waiters = stillWaiting
    for (const waiter of granted) waiter.grant()
  }

  return {
    /** Rejects with ABORTED on a deadlock or after `waitMs`. */
    async acquire(holder: LockHolder, claims: readonly LockRequest[]): Promise<void> {
      const blockers = findBlockers({ holder, claims }, waiters)
      if (blockers.size === 0) {
        hold(holder, claims)
        return
      }
      if (isDeadlock(holder, blockers)) throw createContentionError()
      await new Promise<void>((resolve, reject) => {
        const timer = setTimeout(() => waiter.refuse(createContentionError()), waitMs)
        const waiter: Waiter = {
          holder,
          claims,
          grant() {
            clearTimeout(timer)
            resolve()
          },
          refuse(error) {
            clearTimeout(timer)
            waiters = waiters.filter((other) => other !== waiter)
            reject(error)
            grantWaiters()
          },
        }
        waiters.push(waiter)
      })
    },

    waiting: () => waiters.length,

    /** Also refuses the holder's pending claims. */
    release(holder: LockHolder) {
      held.delete(holder)
      for (const waiter of waiters.filter((other) => other.holder === holder))
        waiter.refuse(createContentionError())
      grantWaiters()
    },
  }
}

export type Locks = ReturnType<typeof createLocks>
