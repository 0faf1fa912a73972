import { expect } from 'vitest'
import { claim } from '../server/operations/handPayments.ts'
import { tellDelivery } from '../server/payments/deliver.ts'
import type { Records } from './invariants.ts'
import type { World } from './world.ts'

/** What an operator does with transfers that people pay. */
export type HandStep =
  | ('claims' | 'pays' | 'fails' | 'claims and pays' | 'claims and fails')
  | ('releases' | 'holds' | 'gives up')

/** An operator who pays transfers by hand, as the runbook says, and remembers what was paid. */
export function createHands(world: World) {
  /** What they have in hand. */
  const inHand = new Set<string>()
  /** What they have paid, and what they have said of the others. */
  const paid = new Set<string>()
  const failed = new Set<string>()
  let batches = 0

  const orders = async () => [...(await world.records()).deliveries].filter(([, { isByHand }]) => isByHand)
  const isGivenBack = (id: string) =>
    world.sandbox.stripe.refunds().some(({ payment_intent: of, metadata }) => of === id && !metadata.byHand)

  const delivered = (id: string) =>
    tellDelivery(world.context, id, () => ({ type: 'order.arrived', proof: 'by hand', at: world.now() }))
  const giveUp = (id: string) =>
    tellDelivery(world.context, id, () => ({
      type: 'order.giveUp',
      failure: 'recipientUnknown',
      at: world.now(),
    }))

  async function pay(id: string) {
    expect(paid.has(id), `${id} is paid by hand before`).toBe(false)
    expect(isGivenBack(id), `${id} is given back while somebody has it in hand`).toBe(false)
    paid.add(id)
    expect((await delivered(id))?.isTaken, `that ${id} is paid agrees with the records`).toBe(true)
  }

  async function claimAll() {
    const due = (await orders()).filter(([, { state }]) => state === 'due').map(([id]) => id)
    batches += 1
    const claimed = await claim(world.context, { batch: `b${batches}`, by: 'Awa', ids: due })
    for (const [id, what] of claimed ?? []) if (what === 'claimed') inHand.add(id)
    return `${inHand.size} in hand`
  }

  async function release() {
    for (const id of inHand) await tellDelivery(world.context, id, () => ({ type: 'claim.release' }))
    for (const [id, { state }] of await orders())
      if (state === 'held')
        await tellDelivery(world.context, id, () => ({ type: 'order.release', cause: null }))
    inHand.clear()
    return 'done'
  }

  return {
    async step(what: HandStep): Promise<string> {
      if (what === 'claims') return claimAll()
      if (what === 'claims and pays' || what === 'claims and fails') await claimAll()
      if (what === 'releases') return release()
      if (what === 'holds' || what === 'gives up') {
        for (const [id] of (await world.records()).deliveries)
          if (what === 'gives up') await giveUpUnclaimed(id)
          else await tellDelivery(world.context, id, () => ({ type: 'order.hold', cause: 'operator' }))
        return 'done'
      }
      for (const id of inHand)
        if (what.endsWith('pays')) await pay(id)
        else {
          failed.add(id)
          await giveUp(id)
        }
      inHand.clear()
      return 'done'
    },

    /** They say again what the database has forgotten, and take nothing for due that they have paid. */
    async afterRestore() {
      inHand.clear()
      for (const [id, { state, holds }] of await orders()) {
        if (state === 'due') expect(paid.has(id), `${id} was paid before the restore, and is due`).toBe(false)
        const mayBePaid = state === 'claimed' || holds.includes('restored')
        if (mayBePaid && paid.has(id)) await delivered(id)
        else if (mayBePaid && failed.has(id)) await giveUp(id)
        else if (state === 'claimed') await tellDelivery(world.context, id, () => ({ type: 'claim.release' }))
      }
    },

    check({ deliveries }: Records) {
      for (const id of paid) {
        expect(isGivenBack(id), `${id} is paid by hand and given back by us`).toBe(false)
        expect(deliveries.get(id)?.state, `where ${id} stands, which is paid by hand`).toBe('delivered')
      }
      for (const id of inHand)
        expect(deliveries.get(id)?.state, `where ${id} stands, which is in hand`).toBe('claimed')
    },
  }

  /** What somebody has in hand they say more of themselves. */
  async function giveUpUnclaimed(id: string) {
    await tellDelivery(world.context, id, ({ state }) =>
      state === 'claimed' ? null : { type: 'order.giveUp', failure: 'canceled', at: world.now() },
    )
  }
}
