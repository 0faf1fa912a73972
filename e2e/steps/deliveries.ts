import type { DeliveryNews } from '../../domain/schemas/delivery.ts'
import { expect, type Server } from '../fixtures.ts'
import type { Person } from './people.ts'

/** MTN's test number of which nobody decides what becomes of it but `letArrive`. */
export const ONGOING = '+224 660 00 04 53'

/** What the transfer of this person says of its delivery. */
export async function transferBy(server: Server, person: Person) {
  const [transfer] = await server.transactionsOf(person.email)
  return transfer as { id: string; senderId: string; status: string; delivery: DeliveryNews }
}

/** MTN tells that it has decided, until the functions have asked: they ask about one transfer once a second. */
export const expectStage = (server: Server, person: Person, stage: DeliveryNews['stage']) =>
  expect
    .poll(async () => {
      const { id, delivery } = await transferBy(server, person)
      await fetch(`${server.origin}/.netlify/functions/delivery-callback`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ externalId: id }),
      })
      return delivery.stage
    })
    .toBe(stage)

/** The recipient has the money, and MTN says so. */
export async function letArrive(server: Server, person: Person) {
  const { senderId } = await transferBy(server, person)
  const [order] = await server.documents('deliveries', 'uid', senderId)
  await fetch(`${server.origin}/sandbox/mtn/transfers/${order?.reference}`, {
    method: 'POST',
    body: new URLSearchParams({ as: 'arrived' }),
    redirect: 'manual',
  })
  await expectStage(server, person, 'delivered')
}
