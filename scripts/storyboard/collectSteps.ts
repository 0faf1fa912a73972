import type { InspectionChannel, InspectionStep } from '../../src/inspection/broadcastSteps.ts'

/** A BroadcastChannel, closed once the replies have arrived. */
interface ClosableChannel extends InspectionChannel {
  close(): void
}

/**
 * Milliseconds to wait for replies. The number of tabs is unknown, because a tab may have crashed; tabs reply
 * immediately unless they are busy.
 */
const REPLY_TIMEOUT = 500

/** Collects the steps of all other tabs; empty if none is open. */
export function collectSteps(channel: ClosableChannel): Promise<readonly InspectionStep[]> {
  const id = crypto.randomUUID()
  const steps: InspectionStep[] = []
  channel.addEventListener('message', ({ data }) => {
    if (data.kind === 'report' && data.id === id) steps.push(...data.steps)
  })
  channel.postMessage({ kind: 'askReport', id })
  return new Promise((resolve) => {
    setTimeout(() => {
      channel.close()
      resolve(steps)
    }, REPLY_TIMEOUT)
  })
}
