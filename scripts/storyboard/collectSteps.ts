import type { InspectionChannel, InspectionStep } from '../../src/inspection/broadcastSteps.ts'

/** A BroadcastChannel, closed once the replies have arrived. */
interface ClosableChannel extends InspectionChannel {
  close(): void
}

// The number of tabs is unknown, because one may have crashed. Tabs reply immediately unless they are busy.
const REPLY_TIMEOUT = 500

/** Empty if no other tab is open. */
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
