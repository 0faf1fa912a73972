import type { Page } from '@playwright/test'
import { activeStates, innermostOf } from '../../scripts/statecharts/chart.ts'
import { CHANNEL, type Message, type Running } from '../../src/inspection/tell.ts'

/** The innermost states that a machine is in, by their ids, with spaces in between; by the machine's id. */
export type Standing = Readonly<Record<string, string>>

interface Listening {
  running?: Map<string, Running>
}

/** Has each document of the page keep where its machines are. The build has to be one that tells it. */
export async function hearStates(page: Page): Promise<void> {
  await page.addInitScript((channel) => {
    const running = new Map<string, Running>()
    ;(window as Listening).running = running
    new BroadcastChannel(channel).addEventListener('message', ({ data }: { data: Message }) => {
      if (data.kind === 'running') running.set(`${data.tab} ${data.actor}`, data)
      // The page before this one may say its last words here.
      if (data.kind === 'ended')
        for (const [key, { tab, actor }] of running)
          if (tab === data.tab && (data.actor === null || data.actor === actor)) running.delete(key)
    })
  }, CHANNEL)
}

/** Where the machines of the page are, as the app itself has told. */
export async function standingOf(page: Page): Promise<Standing> {
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
