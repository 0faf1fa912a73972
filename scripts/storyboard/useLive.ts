import { useEffect, useRef, useState } from 'react'
import { CHANNEL, type Message, type Running, type Told } from '../../src/inspection/tell.ts'

/** So many of the last events of a machine are shown. */
const MOST_EVENTS = 20

export interface Live {
  /** The machines that run in other tabs of this browser, in development. */
  readonly running: readonly Running[]
  /** The last steps that each machine took there, its newest last. */
  readonly events: readonly Running[]
  /** Has each tab tell all that has happened in it, and keeps it as a file. */
  readonly keep: () => void
}

/** Listens to the app in the other tabs, for as long as the page is open. */
export function useLive(): Live {
  const channel = useRef<BroadcastChannel | null>(null)
  const [running, setRunning] = useState<ReadonlyMap<string, Running>>(new Map())
  const [events, setEvents] = useState<readonly Running[]>([])

  useEffect(() => {
    const opened = new BroadcastChannel(CHANNEL)
    channel.current = opened
    opened.addEventListener('message', ({ data }: { data: Message }) => {
      if (data.kind === 'running') {
        setRunning((before) => new Map(before).set(`${data.tab} ${data.actor}`, data))
        setEvents((before) => withStep(before, data))
      }
      if (data.kind === 'ended')
        setRunning((before) => new Map([...before].filter(([, one]) => !isEnded(one, data))))
      if (data.kind === 'report') save(data.steps)
    })
    const ask = () => {
      if (document.visibilityState !== 'visible') return
      setRunning(new Map())
      opened.postMessage({ kind: 'ask' } satisfies Message)
    }
    ask()
    // A tab that crashed has not said so.
    document.addEventListener('visibilitychange', ask)
    return () => {
      document.removeEventListener('visibilitychange', ask)
      opened.close()
    }
  }, [])

  return {
    running: [...running.values()],
    events,
    keep: () => channel.current?.postMessage({ kind: 'askReport' } satisfies Message),
  }
}

/** Who is asked where it is tells its last step once more. */
function withStep(events: readonly Running[], told: Running): readonly Running[] {
  const { tab, actor, machine, step } = told
  if (events.some((one) => one.tab === tab && one.actor === actor && one.step === step)) return events
  const own = [...events.filter((one) => one.machine === machine), told]
  return [...events.filter((one) => one.machine !== machine), ...own.slice(-MOST_EVENTS)]
}

const isEnded = ({ tab, actor }: Running, ended: { readonly tab: string; readonly actor: number | null }) =>
  tab === ended.tab && (ended.actor === null || ended.actor === actor)

function save(steps: readonly Told[]) {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([JSON.stringify(steps, null, 2)], { type: 'application/json' }))
  link.download = 'passerelle-steps.json'
  link.click()
  URL.revokeObjectURL(link.href)
}
