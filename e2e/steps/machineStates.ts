import { expect, type Page } from '@playwright/test'
import type { ExpectedStates } from '../../scenes/scene.ts'
import { getInnermostStates, listActiveStates } from '../../scripts/statecharts/chart.ts'
import {
  INSPECTION_CHANNEL,
  type InspectionMessage,
  type RunningMachine,
} from '../../src/inspection/broadcastSteps.ts'

/** Innermost states of each machine, by its ID; state IDs are separated by spaces. */
export type MachineStates = Readonly<Record<string, string>>

interface Listening {
  running?: Map<number, RunningMachine>
}

/**
 * Records the states of the machines in each document that the page loads. Needs a build that reports them.
 * Ignores messages of the previous document, which may still arrive.
 */
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

/** Expects the machines to reach the states of the screen, perhaps after automatic transitions. */
export async function expectMachineStates(
  page: Page,
  { name, at }: { readonly name: string; readonly at: ExpectedStates },
) {
  const running = Object.entries(at).filter(([, state]) => state !== null)
  await expect.poll(() => readMachineStates(page), name).toEqual(Object.fromEntries(running))
}

/** Reads the states that the app has reported. */
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
