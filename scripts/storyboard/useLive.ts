import { useEffect, useState } from 'react'
import { save } from '../../src/browser/saveFile.ts'
import { CHANNEL, type Message } from '../../src/inspection/tell.ts'
import { gathered } from './gathered.ts'
import { type Heard, heard, NOTHING_HEARD } from './liveEvents.ts'

export interface Live extends Heard {
  /** Keeps all that has happened in the other tabs as one file. False where no tab had anything to tell. */
  readonly keep: () => Promise<boolean>
}

/** Listens to the app in the other tabs, for as long as the page is open. */
export function useLive(): Live {
  const [known, setKnown] = useState(NOTHING_HEARD)

  useEffect(() => {
    const channel = new BroadcastChannel(CHANNEL)
    channel.addEventListener('message', ({ data }: { data: Message }) =>
      setKnown((before) => heard(before, data)),
    )
    const ask = () => {
      if (document.visibilityState !== 'visible') return
      // A tab that crashed has not said so.
      setKnown((before) => ({ ...before, running: [] }))
      channel.postMessage({ kind: 'ask' } satisfies Message)
    }
    ask()
    document.addEventListener('visibilitychange', ask)
    return () => {
      document.removeEventListener('visibilitychange', ask)
      channel.close()
    }
  }, [])

  return { ...known, keep }
}

async function keep(): Promise<boolean> {
  const steps = await gathered(new BroadcastChannel(CHANNEL))
  if (steps.length === 0) return false
  save(new Blob([JSON.stringify(steps, null, 2)], { type: 'application/json' }), 'passerelle-steps.json')
  return true
}
