import { beforeEach, expect, test } from 'vitest'
import { order, paid, status } from '../netlify/testing/deliveries.ts'
import { testInEmptyWorld, world } from '../netlify/testing/emptyWorld.ts'
import { runCommand } from '../scripts/operations/commands.ts'
import { createHandPayouts } from './handPayouts.ts'

testInEmptyWorld()

const page = () =>
  createHandPayouts({
    firestore: world.sandbox.firestore,
    operate: async (words, options) =>
      (await runCommand(world.context, ['deliveries', ...words], options)).lines,
  })
const press = (id: string, said: Readonly<Record<string, string>>) =>
  page().app.request(`/deliveries/${id}`, { method: 'POST', body: new URLSearchParams(said) })
const shown = async () => String(await page().section())

let id: string
beforeEach(async () => {
  // Nobody else pays to that wallet.
  world.payOutBy({ ...world.payouts.provider, pays: () => false })
  id = (await paid()).id
})

test('a transfer that people pay is taken in hand, and delivered with the reference of the wallet', async () => {
  expect(await shown()).toMatch(new RegExp(`${id}</code> 1028200 GNF to \\+224[\\s\\S]*<strong>due</strong>`))
  expect(await press(id, { command: 'claim' })).toMatchObject({ status: 303 })
  expect(await order(id)).toMatchObject({ state: 'claimed' })
  expect(await press(id, { command: 'delivered', reference: 'W42' })).toMatchObject({ status: 303 })
  expect(await order(id)).toMatchObject({ state: 'delivered', proof: 'W42' })
  expect(await shown()).toMatch(/<strong>delivered<\/strong> W42/)
})

test('one that fails is given back whole', async () => {
  await press(id, { command: 'claim' })
  await press(id, { command: 'failed', reason: 'recipientUnknown' })
  expect(await order(id)).toMatchObject({ failure: 'recipientUnknown' })
  expect(await status(id)).toBe('failed')
  expect(world.sandbox.stripe.refunds()).toMatchObject([{ payment_intent: id, amount: 10_000 }])
})

test('one is held, and released', async () => {
  await press(id, { command: 'hold' })
  expect(await order(id)).toMatchObject({ state: 'held' })
  await press(id, { command: 'release' })
  expect(await order(id)).toMatchObject({ state: 'due' })
})

test('what contradicts the records is refused, and says why', async () => {
  await press(id, { command: 'claim' })
  await press(id, { command: 'delivered', reference: 'W42' })
  const refused = await press(id, { command: 'failed', reason: 'expired' })
  expect([refused.status, await refused.json()]).toEqual([
    409,
    { lines: ['Nothing is changed: that contradicts the records.', expect.stringContaining('delivered at')] },
  ])
  expect(await order(id)).toMatchObject({ state: 'delivered' })
  expect(await press('pi_unknown', { command: 'hold' })).toMatchObject({ status: 409 })
  expect(await press(id, { command: 'constructor' })).toMatchObject({ status: 404 })
})

test('without somebody who operates it, the page only shows them', async () => {
  const { app, section } = createHandPayouts({ firestore: world.sandbox.firestore, operate: undefined })
  expect(String(await section())).not.toContain('<button')
  const body = new URLSearchParams({ command: 'claim' })
  expect(await app.request(`/deliveries/${id}`, { method: 'POST', body })).toMatchObject({ status: 404 })
  expect(await order(id)).toMatchObject({ state: 'due' })
})
