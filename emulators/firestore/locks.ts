import type { Path } from './names.ts'
import { StatusError } from './status.ts'
import type { StoredDocument } from './store.ts'

/** What somebody wants to read or write undisturbed. */
export type Claim =
  | { readonly kind: 'document'; readonly path: Path }
  | {
      readonly kind: 'query'
      /** The same for the same query. */
      readonly key: string
      matches(path: Path, document: StoredDocument): boolean
    }
  | {
      readonly kind: 'write'
      readonly path: Path
      /** What the write would leave if it happened now; null for nothing. */
      after(): StoredDocument | null
    }

/** Whoever holds claims, or waits for them. */
export type Holder = object

interface Waiter {
  readonly holder: Holder
  readonly claims: readonly Claim[]
  grant(): void
  refuse(error: StatusError): void
}

const contention = () =>
  new StatusError('ABORTED', 'Too much contention on these documents. Please try again.')

/**
 * Claims that exclude each other are granted one after the other, in the order in which they were
 * asked for. (The real service lets transactions read together and aborts all but one when they
 * write; the outcome is the same, but here it does not hang on how long each of them backs off.)
 * `stored` tells what is stored now. `waitMs` bounds every wait, in real time.
 */
export function createLocks(stored: (path: Path) => StoredDocument | null, waitMs: number) {
  const held = new Map<Holder, Claim[]>()
  let waiters: Waiter[] = []

  const isInConflict = (a: Claim, b: Claim): boolean => {
    if (a.kind === 'query') return b.kind === 'query' ? a.key === b.key : touches(b, a)
    return b.kind === 'query' ? touches(a, b) : a.path === b.path
  }
  const touches = (claim: Exclude<Claim, { kind: 'query' }>, query: Extract<Claim, { kind: 'query' }>) => {
    const states = [stored(claim.path), claim.kind === 'write' ? claim.after() : null]
    return states.some((state) => state !== null && query.matches(claim.path, state))
  }
  const areInConflict = (some: readonly Claim[], others: readonly Claim[]) =>
    some.some((a) => others.some((b) => isInConflict(a, b)))

  /** Those who have to go first. Whoever already holds something overtakes all that only wait. */
  const blockersOf = ({ holder, claims }: Pick<Waiter, 'holder' | 'claims'>, earlier: readonly Waiter[]) => {
    const holding = [...held]
      .filter(([other, theirs]) => other !== holder && areInConflict(claims, theirs))
      .map(([other]) => other)
    const waiting = held.has(holder)
      ? []
      : earlier.filter((other) => other.holder !== holder && areInConflict(claims, other.claims))
    return new Set([...holding, ...waiting.map((other) => other.holder)])
  }

  const isDeadlock = (start: Holder, first: Iterable<Holder>): boolean => {
    const seen = new Set<Holder>()
    const reaches = (holder: Holder): boolean => {
      if (holder === start) return true
      if (seen.has(holder)) return false
      seen.add(holder)
      return waiters.some(
        (waiter, i) => waiter.holder === holder && [...blockersOf(waiter, waiters.slice(0, i))].some(reaches),
      )
    }
    return [...first].some(reaches)
  }

  const hold = (holder: Holder, claims: readonly Claim[]) =>
    held.set(holder, [...(held.get(holder) ?? []), ...claims])

  const grantWaiters = () => {
    const stillWaiting: Waiter[] = []
    const granted: Waiter[] = []
    for (const waiter of waiters) {
      if (blockersOf(waiter, stillWaiting).size > 0) stillWaiting.push(waiter)
      else {
        hold(waiter.holder, waiter.claims)
        granted.push(waiter)
      }
    }
    waiters = stillWaiting
    for (const waiter of granted) waiter.grant()
  }

  return {
    /** Resolves when the holder has all the claims. Rejects with ABORTED on a deadlock or after `waitMs`. */
    async acquire(holder: Holder, claims: readonly Claim[]): Promise<void> {
      const blockers = blockersOf({ holder, claims }, waiters)
      if (blockers.size === 0) {
        hold(holder, claims)
        return
      }
      if (isDeadlock(holder, blockers)) throw contention()
      await new Promise<void>((resolve, reject) => {
        const timer = setTimeout(() => waiter.refuse(contention()), waitMs)
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

    /** How many wait for what others hold. */
    waiting: () => waiters.length,

    /** Gives everything back; what the holder still waits for is refused. */
    release(holder: Holder) {
      held.delete(holder)
      for (const waiter of waiters.filter((other) => other.holder === holder)) waiter.refuse(contention())
      grantWaiters()
    },
  }
}

export type Locks = ReturnType<typeof createLocks>
