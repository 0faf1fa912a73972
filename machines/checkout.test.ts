import { afterEach, expect, test, vi } from 'vitest'
import { createActor } from 'xstate'
import { HOUR } from '../domain/duration.ts'
import { err, ok } from '../domain/result.ts'
import { createCheckout } from './checkout.ts'
import type { Attempt, Checked, CheckoutParts, CheckoutRules } from './checkoutTypes.ts'
import { fakeActor } from './testing/fakeActor.ts'

const now = Date.UTC(2026, 10, 20, 12)

/** The smallest payment that there can be: an amount, dearer with each hour, that may have been paid before. */
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
  ({ amount }: GiftParts['draft'], _payer: GiftParts['payer'], at: number): Checked<GiftParts> =>
    amount > 0 ? ok({ amount, fee: Math.floor((at - now) / HOUR) }) : err([{ field: 'amount' }]),
)

const rules: CheckoutRules<GiftParts> = {
  id: 'gift',
  emptyDraft: { amount: 0 },
  isEmpty: ({ amount }) => amount === 0,
  change: (draft, patch) => ({ ...draft, ...patch }),
  stillWrong: () => [],
  restore: (draft) => draft,
  emptyLike: () => ({ amount: 0 }),
  check,
  isSameForm: (one, other) => one.amount === other.amount,
  isSameOrder: (one, other) => one.amount === other.amount && one.fee === other.fee,
  duplicates: {
    find: (order, recent) => recent.find(({ amount }) => amount === order.amount) ?? null,
    refused: () => null,
  },
  prices: {
    isSame: (one, other) => one.fee === other.fee,
    learn: () => null,
    free: (payer) => payer,
  },
  isAttemptOver: () => false,
}

const giftMachine = createCheckout(rules)

let stop = () => {}
afterEach(() => stop())

/** In the form, which has a gift of 5. */
async function editing() {
  const findOpenAttempt = fakeActor<Attempt<GiftParts> | null, { uid: string }>()
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
  ['is an order', {}, 'reserving', 1],
  ['is paid for the second time', { recent: [same] }, 'askingWhetherAgain', 1],
  ['costs as much as when the screen showed it', { at: now + 1 }, 'reserving', 2],
  ['costs more by now', { at: now + HOUR }, 'editing', 2],
])(
  'a press looks at the form once, and once at what stood on the screen before: one that %s',
  async (_, more, value, checks) => {
    const actor = await editing()
    actor.send({ ...confirm, ...more })
    expect(actor.getSnapshot().value).toBe(value)
    expect(check).toHaveBeenCalledTimes(checks)
  },
)

test('a press looks once at a form that is wrong', async () => {
  const actor = await editing()
  actor.send({ type: 'draft.change', patch: { amount: 0 } })
  actor.send(confirm)
  expect(actor.getSnapshot().context.problems).toEqual([{ field: 'amount' }])
  expect(check).toHaveBeenCalledTimes(1)
})

test('to say yes, the same again, is a press of its own', async () => {
  const actor = await editing()
  actor.send({ ...confirm, recent: [same] })
  check.mockClear()
  actor.send({ type: 'again.confirm', attemptId: 'a2', at: now })
  expect(actor.getSnapshot().context.attempt).toMatchObject({ id: 'a2', again: 'p1' })
  expect(check).toHaveBeenCalledTimes(1)
})

test('nothing of a press is left once it is decided what follows, and nobody ever sees it being decided', async () => {
  const actor = await editing()
  const seen: unknown[] = []
  actor.subscribe(({ value, context }) => seen.push([value, context.confirmation]))
  actor.send({ ...confirm, at: now + HOUR })
  actor.send({ ...confirm, at: now + HOUR, recent: [same] })
  actor.send({ type: 'network.lost' })
  actor.send({ type: 'again.confirm', attemptId: 'a1', at: now })
  actor.send({ type: 'draft.change', patch: { amount: 0 } })
  actor.send(confirm)
  actor.send({ type: 'draft.change', patch: { amount: 4 } })
  actor.send({ type: 'network.back' })
  actor.send(confirm)
  expect(seen).toEqual([
    ['editing', null],
    ['askingWhetherAgain', null],
    ['askingWhetherAgain', null],
    ['editing', null],
    ['editing', null],
    ['editing', null],
    ['editing', null],
    ['editing', null],
    ['reserving', null],
  ])
})
