import { useState } from 'react'
import type { InspectionStep } from '../../src/inspection/broadcastSteps.ts'
import { buildChart, type Chart, getInnermostStates, listActiveStates } from '../statecharts/chart.ts'
import { machines } from '../statecharts/machines.ts'
import type { Recording } from './data.ts'
import { formatEvent, formatReportProblem } from './formatText.ts'
import { parseReport, type ReportProblem } from './reports.ts'
import type { LiveConnection } from './useLiveSteps.ts'

interface LivePanelProps extends LiveConnection {
  readonly machine: string
  readonly chart: Chart
  readonly isFollowed: boolean
  readonly onFollowing: (isFollowed: boolean) => void
  readonly reports: readonly Recording[]
  readonly onReports: (reports: readonly Recording[]) => void
  readonly onPlay: (recording: Recording) => void
}

export function LivePanel({
  running,
  steps,
  keep,
  machine,
  chart,
  isFollowed,
  onFollowing,
  ...more
}: LivePanelProps) {
  const own = running.filter((one) => one.machine === machine)
  const tabs = [...steps.keys()]
  const getTabName = (tab: string) => (tabs.length > 1 ? `Tab ${tabs.indexOf(tab) + 1}` : '')
  return (
    <section className="live">
      <h2>Live</h2>
      {own.length === 0 ? (
        <p>No other tab of this browser runs this machine. The app reports its steps only in development.</p>
      ) : (
        <label>
          <input
            type="checkbox"
            checked={isFollowed}
            onChange={({ target }) => onFollowing(target.checked)}
          />{' '}
          Show the app’s state on the chart
        </label>
      )}
      {own.map(({ tab, actor, value, context }) => (
        <details key={`${tab} ${actor}`}>
          <summary>
            {getTabName(tab) && `${getTabName(tab)}: `}In{' '}
            <b>{getInnermostStates(listActiveStates(value)).join(' and ')}</b>, and its context
          </summary>
          <pre>{JSON.stringify(context, null, 2)}</pre>
        </details>
      ))}
      {tabs.map((tab) => (
        <LastEvents
          key={tab}
          chart={chart}
          steps={steps.get(tab)?.filter((one) => one.machine === machine) ?? []}
          heading={['Last events', getTabName(tab)].filter(Boolean).join(' in ')}
        />
      ))}
      <SaveStepsButton isPossible={tabs.length > 0} keep={keep} />
      <Reports machine={machine} {...more} />
    </section>
  )
}

function LastEvents({
  chart,
  steps,
  heading,
}: {
  chart: Chart
  steps: readonly InspectionStep[]
  heading: string
}) {
  if (steps.length === 0) return null
  return (
    <>
      <h3>{heading}</h3>
      <ol className="steps" aria-label={heading}>
        {steps.map(({ actor, step, event, value, failed }) => (
          <li key={`${actor} ${step}`}>
            {formatEvent(event, chart)}: <b>{getInnermostStates(listActiveStates(value)).join(' and ')}</b>
            {failed && ', which ended with an error'}
          </li>
        ))}
      </ol>
    </>
  )
}

function SaveStepsButton({ isPossible, keep }: { isPossible: boolean; keep: LiveConnection['keep'] }) {
  const [isEmpty, setEmpty] = useState(false)
  return (
    <>
      <p>
        <button type="button" disabled={!isPossible} onClick={async () => setEmpty(!(await keep()))}>
          Save a recording
        </button>
      </p>
      {isEmpty && (
        <p role="alert">
          No tab of the app has reported any steps. Open the app in development, then try again.
        </p>
      )}
    </>
  )
}

function Reports({
  machine,
  reports,
  onReports,
  onPlay,
}: Pick<LivePanelProps, 'machine' | 'reports' | 'onReports' | 'onPlay'>) {
  const [problem, setProblem] = useState<ReportProblem | null>(null)
  const open = async (file: File | undefined) => {
    if (!file) return
    const report = await parseReport(file, machines.map(buildChart))
    onReports(report.recordings)
    setProblem(report.problem)
  }
  const others = [...new Set(reports.map((one) => one.machine))].filter((one) => one !== machine)
  return (
    <>
      <p>
        <label>
          Open a recording{' '}
          <input type="file" accept="application/json" onChange={({ target }) => open(target.files?.[0])} />
        </label>
      </p>
      {problem && <p role="alert">{formatReportProblem(problem)}</p>}
      {reports
        .filter((one) => one.machine === machine)
        .map((one) => (
          <p key={one.name}>
            <button type="button" onClick={() => onPlay(one)}>
              Play {one.name}, {one.steps.length} steps
            </button>
          </p>
        ))}
      {others.length > 0 && (
        <p>
          It also has{' '}
          {others.map((one) => (
            <a key={one} href={`#${one}`}>
              {one}{' '}
            </a>
          ))}
        </p>
      )}
    </>
  )
}
