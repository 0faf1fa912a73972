import { APP_PATHS } from './pushOpening.ts'

/** The worker serves the app for these URLs; all others belong to the server. */
export const APP_ADDRESS_PATTERN = new RegExp(
  `^(${APP_PATHS.map((path) => path.replaceAll('.', '\\.')).join('|')})(\\?|$)`,
)

export const RECIPIENT_ADDRESS_PATTERN = /^\/t\//

/** A host may send a page instead of a missing script, which would break the app permanently. */
export function isCacheable(url: string, { ok, headers }: Pick<Response, 'ok' | 'headers'>): boolean {
  const isPage = headers.get('content-type')?.includes('text/html') ?? false
  return ok && isPage === new URL(url).pathname.endsWith('.html')
}
