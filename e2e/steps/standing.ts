import { expect, type Page } from '@playwright/test'
import { activeStates, innermostOf } from '../../scripts/statecharts/chart.ts'
import { CHANNEL, type Message, type Running } from '../../src/inspection/tell.ts'
import type { At } from '../screens/screen.ts'

/** The innermost states that a machine is in, by their ids, with spaces in between; by the machine's id. */
export type Standing = Readonly<Record<string, string>>

interface Listening {
  running?: Map<number, Running>
}

/**
 * Has each document of the page keep where its machines are. The build has to be one that tells it. Only what a document says itself
 * counts: the one before it on the page may speak until after this one began.
 */
export async function hearStates(page: Page): Promise<void> {
  await page.addInitScript((channel) => {
    const running = new Map<number, Running>()
    ;(window as Listening).running = running
    const { postMessage } = BroadcastChannel.prototype
    BroadcastChannel.prototype.postMessage = function (message: Message) {
      if (this.name === channel && message.kind === 'running') running.set(message.actor, message)
      if (this.name === channel && message.kind === 'ended' && message.actor !== null)
        running.delete(message.actor)
      postMessage.call(this, message)
    }
  }, CHANNEL)
}

/** The machines are where the screen says that they are. Some go on by themselves, and come back. */
export async function expectStanding(page: Page, { name, at }: { readonly name: string; readonly at: At }) {
  const running = Object.entries(at).filter(([, state]) => state !== null)
  await expect.poll(() => standingOf(page), name).toEqual(Object.fromEntries(running))
}

/** Where the machines of the page are, as the app itself has told. */
async function standingOf(page: Page): Promise<Standing> {
  const running = await page.evaluate(() => [...((window as Listening).running?.values() ?? [])])
  const standing = running.flatMap(({ machine, value }) =>
    innermostOf(activeStates(value)).map((state) => ({ machine, state })),
  )
  return Object.fromEntries(
    Object.entries(Object.groupBy(standing, ({ machine }) => machine)).map(([machine, states = []]) => [
      machine,
      [...new Set(states.map(({ state }) => state))].sort().join(' '),
    ]),
  )
}
