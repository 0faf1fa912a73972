import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { readFunctionSettings } from '../../../netlify/server/payouts/settings.ts'
import { createWorld, type World } from '../../../netlify/testing/world.ts'
import { listFindings } from './findings.ts'
import { checkQueues } from './tasks.ts'

let world: World
beforeAll(async () => {
  world = await createWorld({ cloudTasksLocation: 'europe-west1' })
})
beforeEach(() => {
  world.reset()
  world.payOutAsDeployed()
})
afterAll(() => world.close())

const QUEUE = 'GET /v2/projects/demo-passerelle/locations/europe-west1/queues/mtn'

const examine = async (variables: Readonly<Record<string, string>> = {}, site = world.origin) => {
  const settings = readFunctionSettings({ ...world.sandbox.functionSettings(), ...variables })
  const findings = await listFindings(checkQueues({ settings, context: world.context, site }))
  return findings.map(({ verdict, said, remedy = '' }) => `${verdict}: ${said} ${remedy}`.trim())
}

test('the doctor names the rate of each task queue', async () => {
  expect(await examine()).toEqual([
    "good: The queue 'stripe' starts at most 5 tasks a second.",
    "good: The queue 'mtn' starts at most 5 tasks a second.",
  ])
})

test('the doctor reports nothing about tasks if no queue is set', async () => {
  expect(await examine({ CLOUD_TASKS_LOCATION: '', CLOUD_TASKS_HANDLER: '' })).toEqual([])
})

test('the doctor reports a missing task queue', async () => {
  expect(await examine({ CLOUD_TASKS_LOCATION: 'europe-west9' })).toEqual([
    expect.stringMatching(
      /^bad: There is no queue 'stripe' in europe-west9\. Create it: gcloud tasks queues create/,
    ),
    expect.stringMatching(/^bad: There is no queue 'mtn' in europe-west9\./),
  ])
})

test('the doctor reports a paused task queue', async () => {
  const body = JSON.stringify({ state: 'PAUSED' })
  world.sandbox.faults.add({
    on: QUEUE,
    times: 1,
    what: { kind: 'answer', status: 200, body, done: false },
  })
  expect(await examine()).toContain(
    "bad: The queue 'mtn' is paused. Resume it: gcloud tasks queues resume mtn --location=europe-west1",
  )
})

test('the doctor reports tasks that are sent to another site', async () => {
  expect(await examine({}, 'https://site.example')).toContain(
    'bad: CLOUD_TASKS_HANDLER does not point to https://site.example. Set it to https://site.example/.netlify/functions/run-task and deploy again.',
  )
})
