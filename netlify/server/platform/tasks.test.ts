import { expect, test } from 'vitest'
import { HOUR } from '../../../domain/common/duration.ts'
import {
  enableSimulatedProvider,
  listLoggedEvents,
  passTimeWithJob,
  payTransfer,
  readOrder,
} from '../../testing/deliveries.ts'
import { resetWorldForEachTest, world } from '../../testing/emptyWorld.ts'
import { getFunctionModule } from '../../testing/functions.ts'
import { executeTaskIfDue } from '../endpoints/executeTask.ts'
import { waitForBackgroundWork } from './context.ts'
import { enqueue } from './enqueue.ts'

resetWorldForEachTest({ isMoneyChecked: true })

async function recordWithoutTask() {
  enableSimulatedProvider()
  world.context.startTask = async () => {}
  const { id, ...rest } = await payTransfer()
  world.context.startTask = executeTaskIfDue
  return { id, ...rest, task: { work: 'delivery', id, service: 'mtn', at: world.now() } as const }
}

test('record-transfer responds before the transfer is handed over', async () => {
  enableSimulatedProvider()
  const { id, uid, attemptId } = await payTransfer({ isRecorded: false })
  const request = new Request(`${world.origin}/.netlify/functions/record-transfer`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${await world.token(uid)}` },
    body: JSON.stringify({ attemptId }),
  })
  const provider = Promise.withResolvers<void>()
  const { api } = world.payouts.provider
  if (!api) throw new Error('The provider can be called')
  const send: typeof api.send = (payout) => provider.promise.then(() => api.send(payout))
  world.payOutBy({ ...world.payouts.provider, api: { ...api, send } })
  let rest: Promise<unknown> | undefined
  const host = {
    ip: '192.0.2.1',
    waitUntil(work: Promise<unknown>) {
      rest = work
    },
  }
  const response = await getFunctionModule('record-transfer').respond(request, () => world.context, host)
  expect(await response.json()).toMatchObject({
    outcome: 'paid',
    transaction: { delivery: { stage: 'ordered' } },
  })
  provider.resolve()
  await rest
  expect(await readOrder(id)).toMatchObject({ state: 'handedOver' })
})

test('the job does the work of a never started task', async () => {
  const { id } = await recordWithoutTask()
  expect(await readOrder(id)).toMatchObject({ state: 'due' })
  await passTimeWithJob()
  expect(world.payouts.taken()).toHaveLength(1)
})

test('without a queue, the job does a task due later', async () => {
  const { id, task } = await recordWithoutTask()
  enqueue(world.context, { ...task, at: world.now() + HOUR })
  await waitForBackgroundWork(world.context)
  expect(await readOrder(id)).toMatchObject({ state: 'due' })
})

test('a task that fails is logged, and its work stays due', async () => {
  const { id, task } = await recordWithoutTask()
  world.context.startTask = async () => {
    throw new Error('no queue')
  }
  enqueue(world.context, task)
  await waitForBackgroundWork(world.context)
  expect(listLoggedEvents()).toContain('taskPostponed')
  expect(await readOrder(id)).toMatchObject({ state: 'due' })
})
