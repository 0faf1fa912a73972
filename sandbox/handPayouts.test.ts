import { beforeEach, expect, test } from 'vitest'
import { payTransfer, readOrder, readTransactionStatus } from '../netlify/testing/deliveries.ts'
import { resetWorldForEachTest, world } from '../netlify/testing/emptyWorld.ts'
import { runCommand } from '../scripts/operations/commands.ts'
import { createHandPayoutSection } from './handPayouts.ts'

resetWorldForEachTest()

const page = () =>
  createHandPayoutSection({
    firestore: world.sandbox.firestore,
    operate: async (words, options) =>
      (await runCommand(world.context, ['deliveries', ...words], options)).lines,
  })
const press = (id: string, said: Readonly<Record<string, string>>) =>
  page().app.request(`/deliveries/${id}`, { method: 'POST', body: new URLSearchParams(said) })
const shown = async () => String(await page().section())

let id: string
beforeEach(async () => {
  // No provider pays to the recipient's wallet, so an operator must.
  world.payOutBy({ ...world.payouts.provider, pays: () => false })
  id = (await payTransfer()).id
})

test('an operator claims a transfer, and records delivery with its reference', async () => {
  expect(await shown()).toMatch(new RegExp(`${id}</code> 1028200 GNF to \\+224[\\s\\S]*<strong>due</strong>`))
  expect(await press(id, { command: 'claim' })).toMatchObject({ status: 303 })
  expect(await readOrder(id)).toMatchObject({ state: 'claimed' })
  expect(await press(id, { command: 'delivered', reference: 'W42' })).toMatchObject({ status: 303 })
  expect(await readOrder(id)).toMatchObject({ state: 'delivered', proof: 'W42' })
  expect(await shown()).toMatch(/<strong>delivered<\/strong> W42/)
})

test('a transfer that an operator marks as failed is refunded', async () => {
  await press(id, { command: 'claim' })
  await press(id, { command: 'failed', reason: 'recipientUnknown' })
  expect(await readOrder(id)).toMatchObject({ failure: 'recipientUnknown' })
  expect(await readTransactionStatus(id)).toBe('failed')
  expect(world.sandbox.stripe.refunds()).toMatchObject([{ payment_intent: id, amount: 10_000 }])
})

test('an operator can hold and release a transfer in the sandbox', async () => {
  await press(id, { command: 'hold' })
  expect(await readOrder(id)).toMatchObject({ state: 'held' })
  await press(id, { command: 'release' })
  expect(await readOrder(id)).toMatchObject({ state: 'due' })
})

test('the sandbox refuses a contradicting command with the reason', async () => {
  await press(id, { command: 'claim' })
  await press(id, { command: 'delivered', reference: 'W42' })
  const refused = await press(id, { command: 'failed', reason: 'expired' })
  expect([refused.status, await refused.json()]).toEqual([
    409,
    {
      lines: ['Nothing was changed: this contradicts the records.', expect.stringContaining('delivered at')],
    },
  ])
  expect(await readOrder(id)).toMatchObject({ state: 'delivered' })
  expect(await press('pi_unknown', { command: 'hold' })).toMatchObject({ status: 409 })
  expect(await press(id, { command: 'constructor' })).toMatchObject({ status: 404 })
})

test('without commands, the sandbox only shows transfers paid by hand', async () => {
  const { app, section } = createHandPayoutSection({ firestore: world.sandbox.firestore, operate: undefined })
  expect(String(await section())).not.toContain('<button')
  const body = new URLSearchParams({ command: 'claim' })
  expect(await app.request(`/deliveries/${id}`, { method: 'POST', body })).toMatchObject({ status: 404 })
  expect(await readOrder(id)).toMatchObject({ state: 'due' })
})
