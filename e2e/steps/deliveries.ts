import type { DeliverySummary } from '../../domain/transfers/deliverySchema.ts'
import { expect, type Server } from '../fixtures.ts'
import type { Person } from './person.ts'

/** MTN's test number whose outcome only `completeMtnTransfer` decides. */
export const MTN_ONGOING_NUMBER = '+224 660 00 04 53'

export async function readTransfer(server: Server, person: Person) {
  const [transfer] = await server.readTransactions(person.email)
  return transfer as { id: string; senderId: string; status: string; delivery: DeliverySummary }
}

/** Notifies the functions repeatedly, because they ask MTN about a transfer at most once a second. */
export const expectDeliveryStage = (server: Server, person: Person, stage: DeliverySummary['stage']) =>
  expect
    .poll(async () => {
      const { id, delivery } = await readTransfer(server, person)
      await fetch(`${server.origin}/.netlify/functions/delivery-callback`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ externalId: id }),
      })
      return delivery.stage
    })
    .toBe(stage)

export async function completeMtnTransfer(server: Server, person: Person) {
  const { senderId } = await readTransfer(server, person)
  const [order] = await server.documents('deliveries', 'uid', senderId)
  await fetch(`${server.origin}/sandbox/mtn/transfers/${order?.reference}`, {
    method: 'POST',
    body: new URLSearchParams({ as: 'arrived' }),
    redirect: 'manual',
  })
  await expectDeliveryStage(server, person, 'delivered')
}
