import { useState } from 'react'
import type { Told } from '../../src/inspection/tell.ts'
import { activeStates, type Chart, chartOf, innermostOf } from '../statecharts/chart.ts'
import { machines } from '../statecharts/machines.ts'
import type { Recording } from './data.ts'
import { type ReportProblem, reportIn } from './reports.ts'
import type { Live } from './useLive.ts'
import { eventText, reportProblemText } from './words.ts'

interface LivePanelProps extends Live {
  readonly machine: string
  readonly chart: Chart
  readonly isFollowed: boolean
  readonly onFollowing: (isFollowed: boolean) => void
  /** What was opened last, of all machines. */
  readonly reports: readonly Recording[]
  readonly onReports: (reports: readonly Recording[]) => void
  readonly onPlay: (recording: Recording) => void
}

/** What the app in other tabs tells of this machine; and what happened there, to be kept, opened and played. */
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
  const nameOf = (tab: string) => (tabs.length > 1 ? `Tab ${tabs.indexOf(tab) + 1}` : '')
  return (
    <section className="live">
      <h2>Live</h2>
      {own.length === 0 ? (
        <p>It runs in no other tab of this browser. In development the app tells where it is.</p>
      ) : (
        <label>
          <input
            type="checkbox"
            checked={isFollowed}
            onChange={({ target }) => onFollowing(target.checked)}
          />{' '}
          Show on the chart where the app is
        </label>
      )}
      {own.map(({ tab, actor, value, context }) => (
        <details key={`${tab} ${actor}`}>
          <summary>
            {nameOf(tab) && `${nameOf(tab)}: `}In <b>{innermostOf(activeStates(value)).join(' and ')}</b>, and
            what it knows
          </summary>
          <pre>{JSON.stringify(context, null, 2)}</pre>
        </details>
      ))}
      {tabs.map((tab) => (
        <LastEvents
          key={tab}
          chart={chart}
          steps={steps.get(tab)?.filter((one) => one.machine === machine) ?? []}
          heading={['The last events', nameOf(tab)].filter(Boolean).join(' in ')}
        />
      ))}
      <Keep isPossible={tabs.length > 0} keep={keep} />
      <Reports machine={machine} {...more} />
    </section>
  )
}

function LastEvents({ chart, steps, heading }: { chart: Chart; steps: readonly Told[]; heading: string }) {
  if (steps.length === 0) return null
  return (
    <>
      <h3>{heading}</h3>
      <ol className="steps" aria-label={heading}>
        {steps.map(({ actor, step, event, value, failed }) => (
          <li key={`${actor} ${step}`}>
            {eventText(event, chart)}: <b>{innermostOf(activeStates(value)).join(' and ')}</b>
            {failed && ', where it broke'}
          </li>
        ))}
      </ol>
    </>
  )
}

function Keep({ isPossible, keep }: { isPossible: boolean; keep: Live['keep'] }) {
  const [isEmpty, setEmpty] = useState(false)
  return (
    <>
      <p>
        <button type="button" disabled={!isPossible} onClick={async () => setEmpty(!(await keep()))}>
          Keep what happened as a file
        </button>
      </p>
      {isEmpty && <p role="alert">No tab of the app has told anything. It may be closed by now.</p>}
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
    const report = await reportIn(file, machines.map(chartOf))
    onReports(report.recordings)
    setProblem(report.problem)
  }
  const others = [...new Set(reports.map((one) => one.machine))].filter((one) => one !== machine)
  return (
    <>
      <p>
        <label>
          Open what somebody kept{' '}
          <input type="file" accept="application/json" onChange={({ target }) => open(target.files?.[0])} />
        </label>
      </p>
      {problem && <p role="alert">{reportProblemText(problem)}</p>}
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
          It tells of{' '}
          {others.map((one) => (
            <a key={one} href={`#${one}`}>
              {one}{' '}
            </a>
          ))}
          too.
        </p>
      )}
    </>
  )
}
