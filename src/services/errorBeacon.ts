// The build makes this a separate file, which the page's opening script loads at the first error.
import type { ErrorReport } from '../../domain/api/api.ts'
import { findPlace, nameError } from '../../domain/errors/errorReport.ts'
import { sendErrorReport } from './sendErrorReport.ts'

const MAX_REPORTS = 10

const sent = new Set<string>()

/**
 * `thrown` may be the event with which a machine failed. `stack` is React's component stack; without it, the
 * error's own is used.
 */
export async function sendError(kind: ErrorReport['kind'], thrown: unknown, stack?: string): Promise<void> {
  const { error = thrown } = Object(thrown) as { error?: unknown }
  const path = stack ?? (error instanceof Error ? error.stack : undefined) ?? ''
  // Browser extensions run scripts in the page.
  if (path.includes('-extension://')) return
  const report = { kind, name: nameError(error), place: findPlace(path) }
  const key = JSON.stringify(report)
  if (sent.has(key) || sent.size >= MAX_REPORTS) return
  sent.add(key)
  await sendErrorReport(report)
}
