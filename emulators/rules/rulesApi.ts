import { Hono } from 'hono'
import { buildGoogleError, type IdentifyCaller, type ReportUnknown } from '../emulator.ts'

/** Emulates the Firebase Rules API, version 1, below its host name. `releases`: the rules by service name. */
export function createRulesApi({
  projectId,
  identify,
  releases,
  reportUnknown,
}: {
  readonly projectId: string
  readonly identify: IdentifyCaller
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

  const app = new Hono()
  app.all('/firebaserules.googleapis.com/*', async (c) => {
    const { pathname } = new URL(c.req.url)
    const [, name = ''] =
      /^\/firebaserules\.googleapis\.com\/v1\/(.+\/(?:releases|rulesets)\/.+)$/.exec(pathname) ?? []
    if (c.req.method !== 'GET' || name === '') {
      reportUnknown('rules', `${c.req.method} ${pathname}`)
      return c.json(buildGoogleError(501, 'UNIMPLEMENTED', 'The sandbox does not implement this method'), 501)
    }
    if ((await identify(c.req.header('authorization'))).kind !== 'admin')
      return c.json(buildGoogleError(403, 'PERMISSION_DENIED', 'The caller does not have permission'), 403)
    const found = resource(decodeURIComponent(name))
    return found
      ? c.json(found)
      : c.json(buildGoogleError(404, 'NOT_FOUND', 'Requested entity was not found.'), 404)
  })
  return app
}
