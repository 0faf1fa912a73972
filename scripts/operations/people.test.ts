import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createPaymentIntent } from '../../netlify/server/endpoints/createPaymentIntent.ts'
import { pausePaying } from '../../netlify/server/operations/pauses.ts'
import { createWorld, requestOf, type World } from '../../netlify/testing/world.ts'
import { runCommand } from './commands.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
beforeEach(() => world.reset())
afterAll(() => world.close())

const run = async (command: string) => (await runCommand(world.context, command.split(' '))).lines

test('an operator stops a user, sees why, and lets them pay again', async () => {
  const uid = await world.person()
  const who = `${uid} has an account and a profile.`
  expect(await run(`people show ${uid}`)).toEqual([who, 'Nothing pauses their payments.'])
  await pausePaying(world.context, uid, 'du_1')
  expect(await run(`people stop ${uid}`)).toEqual([
    who,
    'Paying is paused since 2026-11-20 12:00:00 UTC, under 2 of their names: the dispute du_1, an operator.',
  ])
  expect(await createPaymentIntent(world.context, { uid }, requestOf(uid))).toMatchObject({
    error: { code: 'paymentsPaused' },
  })
  expect(await run(`people resume ${uid}`)).toEqual([
    who,
    'Nothing pauses their payments.',
    'Lifted: the dispute du_1, an operator.',
  ])
  expect(await createPaymentIntent(world.context, { uid }, requestOf(uid))).toMatchObject({ ok: true })
})

test('an unknown user is not stopped', async () => {
  expect(await run('people stop nobody')).toEqual(['Nobody knows nobody: see that the id is whole.'])
  expect(Object.keys(world.sandbox.firestore.documents())).toEqual([])
})
