import type { Channel, Told } from '../../src/inspection/tell.ts'

/** What closes when the answers are there: a BroadcastChannel of its own. */
interface Question extends Channel {
  close(): void
}

/**
 * So many milliseconds the tabs have to answer. Nobody knows how many there are, for one that came while the page was hidden or crashed
 * has not said so. They answer at once, but for one that is busy; and whoever pressed the button waits.
 */
const MOMENT = 500

/** All that has happened in the other tabs, tab by tab. None has been open when there is nothing. */
export function gathered(channel: Question): Promise<readonly Told[]> {
  const id = crypto.randomUUID()
  const steps: Told[] = []
  channel.addEventListener('message', ({ data }) => {
    if (data.kind === 'report' && data.id === id) steps.push(...data.steps)
  })
  channel.postMessage({ kind: 'askReport', id })
  return new Promise((resolve) => {
    setTimeout(() => {
      channel.close()
      resolve(steps)
    }, MOMENT)
  })
}
