import type { ErrorReport } from '../../domain/api/api.ts'

/** Set by the build (build/prerender.ts). */
declare const RELEASE: string

export const sendErrorReport = (report: Omit<ErrorReport, 'release'>): Promise<unknown> =>
  fetch('/.netlify/functions/report-error', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...report, release: RELEASE } satisfies ErrorReport),
    keepalive: true,
  })
