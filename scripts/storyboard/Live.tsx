import { useState } from 'react'
import { activeStates, innermostOf } from '../statecharts/chart.ts'
import type { Recording } from './data.ts'
import { recordingsOf } from './reports.ts'
import type { Live } from './useLive.ts'
import { eventText } from './words.ts'

interface LivePanelProps extends Live {
  readonly machine: string
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
  events,
  keep,
  machine,
  isFollowed,
  onFollowing,
  ...more
}: LivePanelProps) {
  const own = running.filter((one) => one.machine === machine)
  const last = events.filter((one) => one.machine === machine)
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
            In <b>{innermostOf(activeStates(value)).join(' and ')}</b>, and what it knows
          </summary>
          <pre>{JSON.stringify(context, null, 2)}</pre>
        </details>
      ))}
      {last.length > 0 && (
        <>
          <h3>The last events</h3>
          <ol className="steps" aria-label="The last events">
            {last.map(({ tab, actor, step, event, value }) => (
              <li key={`${tab} ${actor} ${step}`}>
                {eventText(event)}: <b>{innermostOf(activeStates(value)).join(' and ')}</b>
              </li>
            ))}
          </ol>
        </>
      )}
      <p>
        <button type="button" disabled={running.length === 0} onClick={keep}>
          Keep what happened as a file
        </button>
      </p>
      <Reports machine={machine} {...more} />
    </section>
  )
}

function Reports({
  machine,
  reports,
  onReports,
  onPlay,
}: Pick<LivePanelProps, 'machine' | 'reports' | 'onReports' | 'onPlay'>) {
  const [problem, setProblem] = useState('')
  const open = async (file: File | undefined) => {
    const found = file ? recordingsOf(await file.text()) : []
    onReports(found)
    setProblem(found.length === 0 ? 'Nothing that the app wrote down is in this file.' : '')
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
      {problem && <p role="alert">{problem}</p>}
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
