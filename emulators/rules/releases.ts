import { Hono } from 'hono'
import type { Identify, ReportUnknown } from '../emulator.ts'

/**
 * Stands in for the Firebase Rules API, version 1, as far as it tells which rules are in force. Like the sign-in service of
 * the official emulators it has its host's name in front of its paths. `releases`: the source by the name of its service.
 */
export function createReleases({
  projectId,
  identify,
  releases,
  reportUnknown,
}: {
  readonly projectId: string
  readonly identify: Identify
  readonly releases: Readonly<Record<string, { readonly file: string; readonly source: string }>>
  readonly reportUnknown: ReportUnknown
}): Hono {
  const services = Object.keys(releases)
  const project = `projects/${projectId}`

  const resource = (name: string): object | null => {
    const released = services.findIndex((service) => name === `${project}/releases/${service}`)
    if (released >= 0) return { name, rulesetName: `${project}/rulesets/ruleset-${released}` }
    const { file, source } =
      releases[services.find((_, i) => name === `${project}/rulesets/ruleset-${i}`) ?? ''] ?? {}
    return file === undefined ? null : { name, source: { files: [{ name: file, content: source }] } }
  }
  const refusal = (code: 403 | 404 | 501, status: string, message: string) => ({
    error: { code, message, status },
  })

  const app = new Hono()
  app.all('/firebaserules.googleapis.com/*', async (c) => {
    const { pathname } = new URL(c.req.url)
    const [, name = ''] =
      /^\/firebaserules\.googleapis\.com\/v1\/(.+\/(?:releases|rulesets)\/.+)$/.exec(pathname) ?? []
    if (c.req.method !== 'GET' || name === '') {
      reportUnknown('rules', `${c.req.method} ${pathname}`)
      return c.json(refusal(501, 'UNIMPLEMENTED', 'The sandbox does not have this method'), 501)
    }
    if ((await identify(c.req.header('authorization'))).kind !== 'admin')
      return c.json(refusal(403, 'PERMISSION_DENIED', 'The caller does not have permission'), 403)
    const found = resource(decodeURIComponent(name))
    return found ? c.json(found) : c.json(refusal(404, 'NOT_FOUND', 'Requested entity was not found.'), 404)
  })
  return app
}
