import { expect } from 'vitest'
import { DAY } from '../domain/common/duration.ts'
import type { DeliveryOrder } from '../domain/payouts/deliveryOrder.ts'
import { updateDelivery } from '../netlify/server/payouts/deliver.ts'
import { isPayoutEffective } from '../netlify/testing/deliveryInvariants.ts'
import type { Records } from '../netlify/testing/invariants.ts'
import type { World } from '../netlify/testing/world.ts'
import { claimDueOrders } from '../scripts/operations/handPayments.ts'

export type OperatorStep =
  | ('claims' | 'pays' | 'fails' | 'claims and pays' | 'claims and fails')
  | ('releases' | 'holds' | 'gives up' | 'gives up wrongly' | 'asks the provider')

/** Works as the runbook says, and reports a provider's state only a day after it accepted a transfer. */
export function createPayoutOperator(world: World) {
  const inHand = new Set<string>()
  /** Wallets of the orders that the operator has paid, by transfer. */
  const paid = new Map<string, string>()
  /** Warnings and reviews that the operator has checked, by transfer. */
  const lookedAt = new Map<string, readonly string[]>()
  /** Transfers whose payout may still arrive. */
  const wronglyGivenUp = new Set<string>()
  let batches = 0

  const everyOrder = async () => [...(await world.records()).deliveries]
  const orders = async () => (await everyOrder()).filter(([, { isByHand }]) => isByHand)
  const isGivenBack = (id: string) =>
    world.sandbox.stripe.refunds().some(({ payment_intent: of, metadata }) => of === id && !metadata.byHand)

  const delivered = (id: string) =>
    updateDelivery(world.context, id, () => ({
      type: 'order.markDelivered',
      proof: 'by hand',
      at: world.now(),
    }))
  const giveUp = (id: string) =>
    updateDelivery(world.context, id, () => ({
      type: 'order.markFailed',
      failure: 'recipientUnknown',
      at: world.now(),
    }))

  async function pay(id: string) {
    expect(paid.has(id), `${id} is paid by hand before`).toBe(false)
    expect(isGivenBack(id), `${id} is refunded while an operator has claimed it`).toBe(false)
    paid.set(id, (await world.records()).deliveries.get(id)?.wallet ?? '')
    expect((await delivered(id))?.isTaken, `the records agree that ${id} is paid`).toBe(true)
  }

  async function claimAll() {
    const due = (await orders()).filter(([, { state }]) => state === 'due')
    const doubts = world.doubts()
    batches += 1
    const ids = due.map(([id]) => id)
    const claimed = await claimDueOrders(world.context, { batch: `b${batches}`, by: 'Awa', ids })
    for (const [id, { lifted }] of due)
      if (claimed?.get(id) === 'claimed') {
        const open = (doubts.get(id) ?? []).filter((cause) => !lifted.includes(cause))
        expect(open, `reasons not to pay ${id}, which is claimed`).toEqual([])
        inHand.add(id)
      }
    return `${inHand.size} claimed`
  }

  async function release() {
    for (const id of inHand) await updateDelivery(world.context, id, () => ({ type: 'order.unclaim' }))
    // Like the operators' command, leave orders on hold whose sender is still paused (`stop`), and cases.
    for (const [id, { state, holds }] of await everyOrder())
      if (state === 'held' && !holds.includes('stop') && !holds.includes('screening')) {
        await updateDelivery(world.context, id, () => ({ type: 'order.release', cause: null }))
        const causes = holds.filter((cause) => cause !== 'operator' && cause !== 'screeningList')
        lookedAt.set(id, [...(lookedAt.get(id) ?? []), ...causes])
      }
    inHand.clear()
    return 'done'
  }

  async function askProvider(id: string, { sentAt, handedOverAt }: DeliveryOrder, isWrong = false) {
    const at = world.now()
    if (at - Math.max(sentAt ?? 0, handedOverAt ?? 0) < DAY) return
    const kinds = world
      .takenPayouts()
      .flatMap(({ transferId, state }) => (transferId === id ? state.kind : []))
    if (kinds.includes('delivered'))
      await updateDelivery(world.context, id, () => ({ type: 'order.markDelivered', proof: 'asked', at }))
    else if (isWrong || !kinds.includes('pending')) {
      const failed = { type: 'order.markFailed', failure: 'expired', at } as const
      const update = await updateDelivery(world.context, id, () => failed)
      if (update?.isTaken && kinds.includes('pending')) wronglyGivenUp.add(id)
    }
  }

  return {
    wronglyGivenUp: wronglyGivenUp as ReadonlySet<string>,

    async step(what: OperatorStep): Promise<string> {
      if (what === 'claims') return claimAll()
      if (what === 'claims and pays' || what === 'claims and fails') await claimAll()
      if (what === 'releases') return release()
      if (what === 'asks the provider' || what === 'gives up wrongly') {
        for (const [id, order] of await everyOrder())
          if (isWithProvider(order)) await askProvider(id, order, what === 'gives up wrongly')
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
        expect(isGivenBack(id), `${id} is paid by hand and refunded by us`).toBe(false)
        const elsewhere = world
          .takenPayouts()
          .filter((one) => one.transferId === id && isPayoutEffective(one))
        expect(elsewhere, `payouts of ${id} besides the one by hand`).toEqual([])
        const { state, wallet: said } = deliveries.get(id) ?? {}
        expect([state, said], `the state of ${id}, which is paid by hand`).toEqual(['delivered', wallet])
      }
      for (const id of inHand)
        expect(deliveries.get(id)?.state, `the state of ${id}, which is claimed`).toBe('claimed')
      for (const [id, causes] of lookedAt)
        for (const cause of deliveries.get(id)?.holds ?? [])
          expect(causes, `the causes that hold ${id} again`).not.toContain(cause)
    },
  }

  /** Gives up an order that is not claimed; asks the provider instead if it accepted the order a day ago. */
  async function giveUpUnclaimed(id: string, order: DeliveryOrder) {
    const at = world.now()
    const isOld = at - Math.max(order.sentAt ?? 0, order.handedOverAt ?? 0) >= DAY
    if (isWithProvider(order) && isOld) return askProvider(id, order)
    await updateDelivery(world.context, id, ({ state, holds }) =>
      state === 'claimed' || holds.includes('screening')
        ? null
        : { type: 'order.markFailed', failure: 'canceled', at },
    )
  }
}

const isWithProvider = ({ state }: DeliveryOrder) => state === 'handingOver' || state === 'handedOver'
