import type { ErrorReport } from '../../domain/api/api.ts'

/** The hash in the name of the app's own script. Set by the build (scripts/build/prerender.ts). */
declare const RELEASE: string

/** Sends a report without a token, also while the user leaves the page. */
export const sendErrorReport = (report: Omit<ErrorReport, 'release'>): Promise<unknown> =>
  fetch('/.netlify/functions/report-error', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...report, release: RELEASE } satisfies ErrorReport),
    keepalive: true,
  })
