import { expect, test } from 'vitest'
import { createActor, createMachine, fromPromise } from 'xstate'
import { createMachineList, type RunningMachine } from './machineList.ts'

const lampMachine = createMachine({
  id: 'lamp',
  initial: 'off',
  states: {
    off: { on: { press: 'on', break: 'broken' } },
    on: { initial: 'warm', states: { warm: { invoke: { src: fromPromise(async () => {}) } } } },
    broken: { type: 'final' },
  },
})

function startLamps() {
  const lists: (readonly RunningMachine[])[] = []
  const inspect = createMachineList((running) => lists.push(running))
  const [one, other] = [1, 2].map(() => createActor(lampMachine, { inspect }).start())
  return { one, other, last: () => lists.at(-1) }
}

test('the list has each running machine and no other actor', async () => {
  const { one, last } = startLamps()
  one?.send({ type: 'press' })
  await Promise.resolve()
  expect(last()).toEqual([
    { machine: 'lamp', value: { on: 'warm' } },
    { machine: 'lamp', value: 'off' },
  ])
})

test('a finished and a stopped machine leave the list', () => {
  const { one, other, last } = startLamps()
  one?.send({ type: 'break' })
  expect(last()).toEqual([{ machine: 'lamp', value: 'off' }])
  other?.stop()
  expect(last()).toEqual([])
})
