import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { createMachine } from 'xstate'
import type { InspectionStep, RunningMachine } from '../../src/inspection/broadcastSteps.ts'
import { buildChart } from '../statecharts/chart.ts'
import { LivePanel } from './LivePanel.tsx'

const lamp = buildChart(createMachine({ id: 'lamp' }))

const step = (tab: string, more: Partial<InspectionStep> = {}): InspectionStep => ({
  ...{ tab, machine: 'lamp', actor: 1, step: 1, event: 'press', value: { on: 'warm' } },
  ...more,
})
const running = (tab: string, more: Partial<InspectionStep> = {}): RunningMachine => ({
  ...step(tab, more),
  ...{ at: 0, context: {} },
})

const panel = (running: readonly RunningMachine[], steps: readonly (readonly InspectionStep[])[]) =>
  renderToStaticMarkup(
    <LivePanel
      running={running}
      steps={new Map(steps.map((own) => [own[0]?.tab ?? '', own]))}
      keep={async () => true}
      forget={() => undefined}
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

test('the live panel does not number a single tab', () => {
  const words = panel([running('a')], [[step('a')]])
  expect(words).toContain('In on.warm , and its context {} Last events press: on.warm Save')
  expect(words).not.toContain('Tab')
})

test('the live panel numbers tabs and lists each one’s last events', () => {
  const words = panel(
    [running('b'), running('a')],
    [[step('a')], [step('b', { event: 'break', failed: true })]],
  )
  expect(words).toContain('Tab 2: In on.warm , and its context {} Tab 1: In on.warm , and its context')
  expect(words).toContain(
    'Last events in Tab 1 press: on.warm Last events in Tab 2 break: on.warm , which ended with an error',
  )
})

test('the live panel hides the steps of other machines', () => {
  const bell = { machine: 'bell' }
  const words = panel([running('a', bell)], [[step('a', bell)]])
  expect(words).toContain('No other tab of this browser runs this machine.')
  expect(words).not.toContain('Last events')
})
