import { expect, type Page } from '@playwright/test'
import type { ExpectedStates } from '../../scenes/scene.ts'
import { getInnermostStates, listActiveStates } from '../../scripts/statecharts/chart.ts'
import {
  INSPECTION_CHANNEL,
  type InspectionMessage,
  type RunningMachine,
} from '../../src/inspection/broadcastSteps.ts'

/** Innermost states by machine ID, separated by spaces. */
export type MachineStates = Readonly<Record<string, string>>

interface Listening {
  running?: Map<number, RunningMachine>
}

/** Needs a build that reports its states. Ignores late messages of the previous document. */
export async function recordStates(page: Page): Promise<void> {
  await page.addInitScript((channel) => {
    const running = new Map<number, RunningMachine>()
    ;(window as Listening).running = running
    const { postMessage } = BroadcastChannel.prototype
    BroadcastChannel.prototype.postMessage = function (message: InspectionMessage) {
      if (this.name === channel && message.kind === 'running') running.set(message.actor, message)
      if (this.name === channel && message.kind === 'ended' && message.actor !== null)
        running.delete(message.actor)
      postMessage.call(this, message)
    }
  }, INSPECTION_CHANNEL)
}

/** Automatic transitions may come first. */
export async function expectMachineStates(
  page: Page,
  { name, at }: { readonly name: string; readonly at: ExpectedStates },
) {
  const running = Object.entries(at).filter(([, state]) => state !== null)
  await expect.poll(() => readMachineStates(page), name).toEqual(Object.fromEntries(running))
}

async function readMachineStates(page: Page): Promise<MachineStates> {
  const running = await page.evaluate(() => [...((window as Listening).running?.values() ?? [])])
  const standing = running.flatMap(({ machine, value }) =>
    getInnermostStates(listActiveStates(value)).map((state) => ({ machine, state })),
  )
  return Object.fromEntries(
    Object.entries(Object.groupBy(standing, ({ machine }) => machine)).map(([machine, states = []]) => [
      machine,
      [...new Set(states.map(({ state }) => state))].sort().join(' '),
    ]),
  )
}
