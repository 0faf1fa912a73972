/** Items of one account usually change the same documents. */
export interface DueItem {
  readonly id: string
  readonly account: string
}

export interface Chore<Item extends DueItem> {
  readonly name: string
  /** The hosted service that the items mostly wait for. */
  readonly provider: string
  /** At the stop time the generator is closed, so that its `finally` can store the progress. */
  due(): AsyncIterable<readonly Item[]>
  /** Returns the outcome to count, if any. */
  handle(item: Item): Promise<string | null>
  /** Other chores create items for this one; its pages are then read again until there are none. */
  readonly isFed?: boolean
  /** False if it creates none, so that its items alone lead to no further round. */
  readonly isFeeding?: boolean
}

export interface ChoreLimits {
  /** `others`: for each provider without a number of its own. */
  readonly atOnce: Readonly<Record<string, number>>
  readonly perAccount: number
  /** Milliseconds since an arbitrary start; never decreases. */
  readonly elapsed: () => number
  /** No more items are begun from this value of `elapsed`. */
  readonly stopAt: number
  /** The run then ends without waiting for items in progress. */
  readonly deadline: AbortSignal
}

export interface ChoreReport {
  readonly count: (outcome: string) => void
  readonly failed: (chore: string, error: unknown) => void
  /** Called if at least this many items were not handled when time was up. */
  readonly leftOver: (chore: string, items: number) => void
}

type Work = Chore<DueItem>

interface Queue {
  readonly chore: Work
  readonly pages: AsyncIterator<readonly DueItem[], unknown>
  /** Not begun yet, longest due first. */
  items: DueItem[]
  readonly underWay: Set<DueItem>
  readonly begunByAccount: Map<string, number>
  begun: number
  isReading: boolean
  isOver: boolean
}

/**
 * Handles everything that is due, each item once, until time is up. A free place goes to the chore with the
 * fewest items in progress, then to the account with the fewest items begun, then to the item that is due for
 * longest, so that no chore or account delays another. Items created during a round are handled in the next
 * one.
 */
export async function runChores(
  chores: readonly Work[],
  limits: ChoreLimits,
  report: ChoreReport,
): Promise<void> {
  const handled = new Map(chores.map((chore) => [chore, new Set<string>()]))
  const fed = chores.filter(({ isFed }) => isFed)
  let begun = await runRound(chores, handled, limits, report)
  while (begun > 0 && mayBegin(limits)) begun = await runRound(fed, handled, limits, report)
}

const mayBegin = ({ elapsed, stopAt, deadline }: ChoreLimits) => elapsed() < stopAt && !deadline.aborted

/** Returns how many items were begun that may have created others. */
async function runRound(
  chores: readonly Work[],
  handled: ReadonlyMap<Work, Set<string>>,
  limits: ChoreLimits,
  report: ChoreReport,
): Promise<number> {
  const { atOnce, perAccount, deadline } = limits
  const queues = chores.map(createQueue)
  const running = new Set<Promise<void>>()
  const { promise: isTimeUp, resolve: endWaiting } = Promise.withResolvers<void>()
  deadline.addEventListener('abort', () => endWaiting(), { once: true })

  function start(queue: Queue, work: () => Promise<void>, end: () => void) {
    const task = work()
      .catch((error) => {
        if (!deadline.aborted) report.failed(queue.chore.name, error)
      })
      .finally(() => {
        end()
        running.delete(task)
      })
    running.add(task)
  }

  function readPage(queue: Queue) {
    queue.isReading = true
    const read = async () => {
      // A failed read also ends the chore's queue.
      queue.isOver = true
      const page = await queue.pages.next()
      if (page.done) return
      const known = handled.get(queue.chore)
      queue.items = page.value.filter(({ id }) => !known?.has(id))
      queue.isOver = false
    }
    start(queue, read, () => {
      queue.isReading = false
    })
  }

  function begin(queue: Queue, item: DueItem) {
    queue.items = queue.items.filter((other) => other !== item)
    queue.underWay.add(item)
    queue.begun += 1
    queue.begunByAccount.set(item.account, (queue.begunByAccount.get(item.account) ?? 0) + 1)
    handled.get(queue.chore)?.add(item.id)
    const handle = async () => {
      const outcome = await queue.chore.handle(item)
      if (outcome !== null && !deadline.aborted) report.count(outcome)
    }
    start(queue, handle, () => {
      // An item that the deadline has cut off counts as left over.
      if (!deadline.aborted) queue.underWay.delete(item)
    })
  }

  function findNext(): { readonly queue: Queue; readonly item: DueItem } | undefined {
    const isFree = ({ chore: { provider }, underWay }: Queue) => {
      const places = atOnce[provider] ?? atOnce.others ?? 1
      const sharing = queues.filter((other) => other.chore.provider === provider)
      const unfinished = sharing.filter(({ isOver, isReading }) => isReading || !isOver)
      return (
        underWay.size < Math.ceil(places / unfinished.length) &&
        count(sharing, (other) => other.underWay.size) < places
      )
    }
    const waiting = queues
      .filter((queue) => queue.items.length > 0 && isFree(queue))
      .sort((one, other) => one.underWay.size - other.underWay.size || one.begun - other.begun)
    for (const queue of waiting) {
      const item = nextItem(queue, perAccount)
      if (item) return { queue, item }
    }
    return undefined
  }

  for (;;) {
    if (mayBegin(limits)) {
      for (const queue of queues)
        if (queue.items.length === 0 && queue.underWay.size === 0 && !queue.isReading && !queue.isOver)
          readPage(queue)
      for (let next = findNext(); next; next = findNext()) begin(next.queue, next.item)
    }
    if (running.size === 0 || deadline.aborted) break
    await Promise.race([isTimeUp, ...running])
  }
  for (const queue of queues)
    if (!queue.isOver && !queue.isReading)
      start(
        queue,
        async () => void (await queue.pages.return?.()),
        () => {},
      )
  await Promise.race([isTimeUp, Promise.all(running)])
  for (const { chore, items, underWay, begun, isReading, isOver } of queues) {
    const left = items.length + underWay.size
    const isUnread = isReading || (begun === 0 && !isOver)
    if (left > 0 || isUnread) report.leftOver(chore.name, Math.max(left, 1))
  }
  return count(queues, ({ chore, begun }) => (chore.isFeeding === false ? 0 : begun))
}

const createQueue = (chore: Work): Queue => ({
  chore,
  pages: chore.due()[Symbol.asyncIterator](),
  items: [],
  underWay: new Set(),
  begunByAccount: new Map(),
  begun: 0,
  isReading: false,
  isOver: false,
})

function nextItem({ items, underWay, begunByAccount }: Queue, perAccount: number): DueItem | undefined {
  const busy = Map.groupBy(underWay, ({ account }) => account)
  const allowed = items.filter(({ account }) => (busy.get(account)?.length ?? 0) < perAccount)
  const countBegun = ({ account }: DueItem) => begunByAccount.get(account) ?? 0
  const fewest = Math.min(...allowed.map(countBegun))
  return allowed.find((item) => countBegun(item) === fewest)
}

const count = <T>(all: readonly T[], of: (one: T) => number) => all.reduce((sum, one) => sum + of(one), 0)
