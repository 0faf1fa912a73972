import { existsSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { serveStatic } from '@hono/node-server/serve-static'
import { Hono } from 'hono'
import { headersFor, parseHeaders, withSandboxHosts } from './headers.ts'

/** Serves the built app as Netlify does: the headers of `_headers`, compressed files, one page for all addresses. */
export function siteApp(folder: string, port: () => number, emulators: () => readonly string[]) {
  const rules = parseHeaders(readFileSync(join(folder, '_headers'), 'utf8'))
  const app = new Hono()
  app.use(async (c, next) => {
    await next()
    for (const [name, value] of headersFor(rules, c.req.path))
      c.header(
        name,
        name === 'content-security-policy' ? withSandboxHosts(value, port(), emulators()) : value,
      )
    // Over plain http on this machine it would lock the browser out of other local servers.
    c.header('strict-transport-security', undefined)
  })
  const root = relative(process.cwd(), folder)
  app.use(serveStatic({ root, precompressed: true }))
  app.get('*', (c, next) => {
    if (/\.\w+$/.test(c.req.path) || !existsSync(join(folder, 'index.html'))) return next()
    return serveStatic({ root, path: 'index.html', precompressed: true })(c, next)
  })
  return app
}
