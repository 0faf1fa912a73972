import { afterEach, expect, test, vi } from 'vitest'
import { createActor } from 'xstate'
import { HOUR } from '../domain/common/duration.ts'
import { err, ok } from '../domain/common/result.ts'
import { createCheckoutMachine } from './checkout.ts'
import type { CheckedForm, CheckoutAttempt, CheckoutParts, CheckoutRules } from './checkoutTypes.ts'
import { createFakeActor } from './testing/fakeActor.ts'

const now = Date.UTC(2026, 10, 20, 12)

/** An amount whose price rises every hour, and which may be a duplicate. */
interface GiftParts extends CheckoutParts {
  readonly payer: { readonly uid: string }
  readonly draft: { readonly amount: number }
  readonly order: { readonly amount: number; readonly fee: number }
  readonly problem: { readonly field: 'amount' }
  readonly refusal: never
  readonly receipt: string
  readonly duplicate: { readonly id: string; readonly amount: number }
}

const check = vi.fn(
  ({ amount }: GiftParts['draft'], _payer: GiftParts['payer'], at: number): CheckedForm<GiftParts> =>
    amount > 0 ? ok({ amount, fee: Math.floor((at - now) / HOUR) }) : err([{ field: 'amount' }]),
)

const rules: CheckoutRules<GiftParts> = {
  id: 'gift',
  emptyDraft: { amount: 0 },
  isEmpty: ({ amount }) => amount === 0,
  change: (draft, patch) => ({ ...draft, ...patch }),
  filterProblems: () => [],
  restore: (draft) => draft,
  createEmptyDraft: () => ({ amount: 0 }),
  check,
  isSameForm: (one, other) => one.amount === other.amount,
  isSameOrder: (one, other) => one.amount === other.amount && one.fee === other.fee,
  duplicates: {
    find: (order, recent) => recent.find(({ amount }) => amount === order.amount) ?? null,
    getRefused: () => null,
    getSentDraftId: () => null,
  },
  prices: {
    isSame: (one, other) => one.fee === other.fee,
    applyRefusal: () => null,
    releaseReservation: (payer) => payer,
  },
  isAttemptOver: () => false,
}

const giftMachine = createCheckoutMachine(rules)

let stop = () => {}
afterEach(() => stop())

async function editing() {
  const findOpenAttempt = createFakeActor<CheckoutAttempt<GiftParts> | null, { uid: string }>()
  const actor = createActor(giftMachine.provide({ actors: { findOpenAttempt: findOpenAttempt.logic } }), {
    input: { profile: { uid: 'u1' }, isOnline: true, at: now, draft: { amount: 5 } },
  }).start()
  stop = () => actor.stop()
  await findOpenAttempt.answer(null)
  check.mockClear()
  return actor
}

const confirm = { type: 'form.confirm', attemptId: 'a1', at: now, recent: [] } as const
const same = { id: 'p1', amount: 5 }

test.each([
  ['a valid order', {}, 'reserving', 1],
  ['a duplicate', { recent: [same] }, 'confirmingDuplicate', 1],
  ['a later press at an unchanged price', { at: now + 1 }, 'reserving', 2],
  ['a later press at a higher price', { at: now + HOUR }, 'editing', 2],
])('confirming validates a form again only if time has passed: %s', async (_, more, value, checks) => {
  const actor = await editing()
  actor.send({ ...confirm, ...more })
  expect(actor.getSnapshot().value).toBe(value)
  expect(check).toHaveBeenCalledTimes(checks)
})

test('confirming validates an invalid payment form once', async () => {
  const actor = await editing()
  actor.send({ type: 'draft.change', patch: { amount: 0 } })
  actor.send(confirm)
  expect(actor.getSnapshot().context.problems).toEqual([{ field: 'amount' }])
  expect(check).toHaveBeenCalledTimes(1)
})

test('confirming a duplicate validates again and uses the new attempt ID', async () => {
  const actor = await editing()
  actor.send({ ...confirm, recent: [same] })
  check.mockClear()
  actor.send({ type: 'duplicate.confirm', attemptId: 'a2', at: now })
  expect(actor.getSnapshot().context.attempt).toMatchObject({ id: 'a2', again: 'p1' })
  expect(check).toHaveBeenCalledTimes(1)
})

test('no snapshot of the checkout contains a confirmation that has been handled', async () => {
  const actor = await editing()
  const seen: unknown[] = []
  actor.subscribe(({ value, context }) => seen.push([value, context.confirmation]))
  actor.send({ ...confirm, at: now + HOUR })
  actor.send({ ...confirm, at: now + HOUR, recent: [same] })
  actor.send({ type: 'network.lost' })
  actor.send({ type: 'duplicate.confirm', attemptId: 'a1', at: now })
  actor.send({ type: 'draft.change', patch: { amount: 0 } })
  actor.send(confirm)
  actor.send({ type: 'draft.change', patch: { amount: 4 } })
  actor.send({ type: 'network.restored' })
  actor.send(confirm)
  expect(seen).toEqual([
    ['editing', null],
    ['confirmingDuplicate', null],
    ['confirmingDuplicate', null],
    ['editing', null],
    ['editing', null],
    ['editing', null],
    ['editing', null],
    ['editing', null],
    ['reserving', null],
  ])
})
