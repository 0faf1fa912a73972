import { useCallback, useEffect, useState } from 'react'
import { saveFile } from '../../src/browser/saveFile.ts'
import { INSPECTION_CHANNEL, type InspectionMessage } from '../../src/inspection/broadcastSteps.ts'
import { collectSteps } from './collectSteps.ts'
import { applyMessage, EMPTY_LIVE_STATE, type LiveState } from './liveState.ts'

export interface LiveConnection extends LiveState {
  /** Saves the steps of all other tabs. Resolves to false if there were none. */
  readonly keep: () => Promise<boolean>
  readonly forget: (tab: string) => void
}

/** The app may run in the page's frame and in other tabs. */
export function useLiveSteps(): LiveConnection {
  const [known, setKnown] = useState(EMPTY_LIVE_STATE)

  useEffect(() => {
    const channel = new BroadcastChannel(INSPECTION_CHANNEL)
    channel.addEventListener('message', ({ data }: { data: InspectionMessage }) =>
      setKnown((before) => applyMessage(before, data)),
    )
    const ask = () => {
      if (document.visibilityState !== 'visible') return
      // Forget all running machines first: a crashed tab has not reported its end.
      setKnown((before) => ({ ...before, running: [] }))
      channel.postMessage({ kind: 'ask' } satisfies InspectionMessage)
    }
    const hearFrame = ({ data }: MessageEvent<InspectionMessage | 'used'>) =>
      data !== 'used' && setKnown((before) => applyMessage(before, data))
    addEventListener('message', hearFrame)
    ask()
    document.addEventListener('visibilitychange', ask)
    return () => {
      removeEventListener('message', hearFrame)
      document.removeEventListener('visibilitychange', ask)
      channel.close()
    }
  }, [])

  const forget = useCallback(
    (tab: string) => setKnown((before) => applyMessage(before, { kind: 'ended', tab, actor: null })),
    [],
  )
  return { ...known, keep: saveSteps, forget }
}

async function saveSteps(): Promise<boolean> {
  const steps = await collectSteps(new BroadcastChannel(INSPECTION_CHANNEL))
  if (steps.length === 0) return false
  saveFile(new Blob([JSON.stringify(steps, null, 2)], { type: 'application/json' }), 'passerelle-steps.json')
  return true
}
