import { expect } from 'vitest'
import type { DeliveryOrder } from '../../domain/delivery.ts'
import { DAY } from '../../domain/duration.ts'
import { updateDelivery } from '../server/payouts/deliver.ts'
import { claim } from '../server/payouts/handPayments.ts'
import { isStanding } from './deliveryInvariants.ts'
import type { Records } from './invariants.ts'
import type { World } from './world.ts'

/** What an operator does with transfers that people pay. */
export type HandStep =
  | ('claims' | 'pays' | 'fails' | 'claims and pays' | 'claims and fails')
  | ('releases' | 'holds' | 'gives up' | 'asks the provider')

/**
 * An operator who pays transfers by hand, as the runbook says, and remembers what was paid. Of what a provider has had for a day they say
 * what the provider says; before that also something else, which is refused.
 */
export function createHands(world: World) {
  /** What they have in hand. */
  const inHand = new Set<string>()
  /** What they have paid, and to which wallet. */
  const paid = new Map<string, string>()
  /** Warnings and reviews that they have looked at, by transfer. */
  const lookedAt = new Map<string, readonly string[]>()
  let batches = 0

  const everyOrder = async () => [...(await world.records()).deliveries]
  const orders = async () => (await everyOrder()).filter(([, { isByHand }]) => isByHand)
  const isGivenBack = (id: string) =>
    world.sandbox.stripe.refunds().some(({ payment_intent: of, metadata }) => of === id && !metadata.byHand)

  const delivered = (id: string) =>
    updateDelivery(world.context, id, () => ({ type: 'order.arrived', proof: 'by hand', at: world.now() }))
  const giveUp = (id: string) =>
    updateDelivery(world.context, id, () => ({
      type: 'order.giveUp',
      failure: 'recipientUnknown',
      at: world.now(),
    }))

  async function pay(id: string) {
    expect(paid.has(id), `${id} is paid by hand before`).toBe(false)
    expect(isGivenBack(id), `${id} is given back while somebody has it in hand`).toBe(false)
    paid.set(id, (await world.records()).deliveries.get(id)?.wallet ?? '')
    expect((await delivered(id))?.isTaken, `that ${id} is paid agrees with the records`).toBe(true)
  }

  async function claimAll() {
    const due = (await orders()).filter(([, { state }]) => state === 'due')
    const doubts = world.doubts()
    batches += 1
    const ids = due.map(([id]) => id)
    const claimed = await claim(world.context, { batch: `b${batches}`, by: 'Awa', ids })
    for (const [id, { lifted }] of due)
      if (claimed?.get(id) === 'claimed') {
        const open = (doubts.get(id) ?? []).filter((cause) => !lifted.includes(cause))
        expect(open, `what speaks against paying ${id}, which is claimed`).toEqual([])
        inHand.add(id)
      }
    return `${inHand.size} in hand`
  }

  async function release() {
    for (const id of inHand) await updateDelivery(world.context, id, () => ({ type: 'claim.release' }))
    for (const [id, { state, holds }] of await everyOrder())
      if (state === 'held') {
        await updateDelivery(world.context, id, () => ({ type: 'order.release', cause: null }))
        const causes = holds.filter((cause) => cause !== 'operator')
        lookedAt.set(id, [...(lookedAt.get(id) ?? []), ...causes])
      }
    inHand.clear()
    return 'done'
  }

  /** What the provider says became of it; it is asked by whoever may be believed. */
  async function askProvider(id: string, { sentAt, handedOverAt }: DeliveryOrder) {
    const at = world.now()
    if (at - Math.max(sentAt ?? 0, handedOverAt ?? 0) < DAY) return
    const kinds = world
      .takenPayouts()
      .flatMap(({ transferId, state }) => (transferId === id ? state.kind : []))
    if (kinds.includes('delivered'))
      await updateDelivery(world.context, id, () => ({ type: 'order.arrived', proof: 'asked', at }))
    else if (!kinds.includes('pending'))
      await updateDelivery(world.context, id, () => ({ type: 'order.giveUp', failure: 'expired', at }))
  }

  return {
    async step(what: HandStep): Promise<string> {
      if (what === 'claims') return claimAll()
      if (what === 'claims and pays' || what === 'claims and fails') await claimAll()
      if (what === 'releases') return release()
      if (what === 'asks the provider') {
        for (const [id, order] of await everyOrder()) if (isWithProvider(order)) await askProvider(id, order)
        return 'done'
      }
      if (what === 'holds' || what === 'gives up') {
        for (const [id, order] of await everyOrder())
          if (what === 'gives up') await giveUpUnclaimed(id, order)
          else await updateDelivery(world.context, id, () => ({ type: 'order.hold', cause: 'operator' }))
        return 'done'
      }
      for (const id of inHand)
        if (what.endsWith('pays')) await pay(id)
        else await giveUp(id)
      inHand.clear()
      return 'done'
    },

    check({ deliveries }: Records) {
      for (const [id, wallet] of paid) {
        expect(isGivenBack(id), `${id} is paid by hand and given back by us`).toBe(false)
        const elsewhere = world.takenPayouts().filter((one) => one.transferId === id && isStanding(one))
        expect(elsewhere, `payouts of ${id} besides the one by hand`).toEqual([])
        const { state, wallet: said } = deliveries.get(id) ?? {}
        expect([state, said], `where ${id} stands, which is paid by hand`).toEqual(['delivered', wallet])
      }
      for (const id of inHand)
        expect(deliveries.get(id)?.state, `where ${id} stands, which is in hand`).toBe('claimed')
      for (const [id, causes] of lookedAt)
        for (const cause of deliveries.get(id)?.holds ?? [])
          expect(causes, `what holds ${id} once more`).not.toContain(cause)
    },
  }

  /** What somebody has in hand they say more of themselves. */
  async function giveUpUnclaimed(id: string, order: DeliveryOrder) {
    const at = world.now()
    const isOld = at - Math.max(order.sentAt ?? 0, order.handedOverAt ?? 0) >= DAY
    if (isWithProvider(order) && isOld) return askProvider(id, order)
    await updateDelivery(world.context, id, ({ state }) =>
      state === 'claimed' ? null : { type: 'order.giveUp', failure: 'canceled', at },
    )
  }
}

const isWithProvider = ({ state }: DeliveryOrder) => state === 'handingOver' || state === 'handedOver'
