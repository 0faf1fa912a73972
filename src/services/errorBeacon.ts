// The build makes this a separate file, which the page's opening script loads at the first error.
import type { ErrorReport } from '../../domain/api/api.ts'
import { stripMessage } from '../../domain/errors/errorReport.ts'
import { sendErrorReport } from './sendErrorReport.ts'

/** How many errors one page reports. */
const MAX_REPORTS = 10

const sent = new Set<string>()

/**
 * Sends an error to the operator, each distinct one once. `thrown` may be the event with which a machine
 * failed. `stack` is React's component stack; without it, the error's own is used.
 */
export async function sendError(kind: ErrorReport['kind'], thrown: unknown, stack?: string): Promise<void> {
  const { error = thrown } = Object(thrown) as { error?: unknown }
  const path = stack ?? (error instanceof Error ? error.stack : undefined) ?? ''
  // Browser extensions run scripts in the page, and their errors are not the app's.
  if (path.includes('-extension://')) return
  const report = { kind, message: stripMessage(toText(error)), component: findFile(path) }
  const key = JSON.stringify(report)
  if (sent.has(key) || sent.size >= MAX_REPORTS) return
  sent.add(key)
  await sendErrorReport(report)
}

/**
 * Describes the error. An event's type loses the index of its actor, because otherwise the whole type would
 * be stripped.
 */
function toText(error: unknown): string {
  if (error instanceof Error) return `${error.name}: ${error.message}`
  const { type } = Object(error) as { type?: unknown }
  return typeof type === 'string' ? `Failed: ${type.replace('.0', '')}` : `Rejected with a ${typeof error}`
}

/** Finds the first built file of a stack, without its hash. Names of minified functions say nothing. */
const findFile = (stack: string) => /\/assets\/([A-Za-z]{1,40})[.\w-]*\.js/.exec(stack)?.[1] ?? ''
