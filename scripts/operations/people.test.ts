import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createPaymentIntent } from '../../netlify/server/endpoints/createPaymentIntent.ts'
import { pausePayments } from '../../netlify/server/events/pauses.ts'
import { buildTransferRequest, createWorld, type World } from '../../netlify/testing/world.ts'
import { runCommand } from './commands.ts'
import { addSignature } from './testing/addSignature.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
beforeEach(() => world.reset())
afterAll(() => world.close())

const run = async (command: string) => {
  const words = command.split(' ')
  return (await runCommand(world.context, words, addSignature(words))).lines
}

test('an operator stops a user, sees the reason, and resumes their payments', async () => {
  const uid = await world.person()
  const who = `${uid} has an account and a profile.`
  expect(await run(`people show ${uid}`)).toEqual([who, 'Their payments are not paused.'])
  await pausePayments(world.context, uid, 'du_1')
  expect(await run(`people stop ${uid}`)).toEqual([
    who,
    'Payments have been paused since 2026-11-20 12:00:00 UTC by the dispute du_1, an operator (2 documents in restrictions).',
  ])
  expect(await createPaymentIntent(world.context, { uid }, buildTransferRequest(uid))).toMatchObject({
    error: { code: 'paymentsPaused' },
  })
  expect(await run(`people resume ${uid}`)).toEqual([
    who,
    'Their payments are not paused.',
    'Lifted: the dispute du_1, an operator.',
  ])
  expect(await createPaymentIntent(world.context, { uid }, buildTransferRequest(uid))).toMatchObject({
    ok: true,
  })
})

test('stopping an unknown user is refused', async () => {
  await expect(run('people stop nobody')).rejects.toThrow(
    'There is no user nobody: check that the ID is complete.',
  )
  const paths = Object.keys(world.sandbox.firestore.documents())
  expect(paths.filter((path) => !path.startsWith('operatorActions/'))).toEqual([])
})
