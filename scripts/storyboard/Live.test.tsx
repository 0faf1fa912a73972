import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { createMachine } from 'xstate'
import type { Running, Told } from '../../src/inspection/tell.ts'
import { chartOf } from '../statecharts/chart.ts'
import { LivePanel } from './Live.tsx'

const lamp = chartOf(createMachine({ id: 'lamp' }))

const step = (tab: string, more: Partial<Told> = {}): Told => ({
  ...{ tab, machine: 'lamp', actor: 1, step: 1, event: 'press', value: { on: 'warm' } },
  ...more,
})
const running = (tab: string, more: Partial<Told> = {}): Running => ({
  ...step(tab, more),
  ...{ at: 0, context: {} },
})

/** The words of the panel of the lamp. */
const panel = (running: readonly Running[], steps: readonly (readonly Told[])[]) =>
  renderToStaticMarkup(
    <LivePanel
      running={running}
      steps={new Map(steps.map((own) => [own[0]?.tab ?? '', own]))}
      keep={async () => true}
      machine="lamp"
      chart={lamp}
      isFollowed
      onFollowing={() => undefined}
      reports={[]}
      onReports={() => undefined}
      onPlay={() => undefined}
    />,
  )
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ')

test('one tab needs no name', () => {
  const words = panel([running('a')], [[step('a')]])
  expect(words).toContain('In on.warm , and what it knows {} The last events press: on.warm Keep')
  expect(words).not.toContain('Tab')
})

test('several tabs have names, and each its own events', () => {
  const words = panel(
    [running('b'), running('a')],
    [[step('a')], [step('b', { event: 'break', failed: true })]],
  )
  expect(words).toContain('Tab 2: In on.warm , and what it knows {} Tab 1: In on.warm , and what it knows')
  expect(words).toContain(
    'The last events in Tab 1 press: on.warm The last events in Tab 2 break: on.warm , where it broke',
  )
})

test('what other machines did is not listed', () => {
  const bell = { machine: 'bell' }
  const words = panel([running('a', bell)], [[step('a', bell)]])
  expect(words).toContain('It runs in no other tab of this browser.')
  expect(words).not.toContain('The last events')
})
