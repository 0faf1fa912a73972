import { join, relative } from 'node:path'
import { serveStatic } from '@hono/node-server/serve-static'
import { parseAllRedirects } from '@netlify/redirect-parser'
import { Hono } from 'hono'
import { addSandboxHosts, matchHeaders, readHeaderRules } from './headers.ts'

const CONFIG = join(import.meta.dirname, '../netlify.toml')

/** Netlify's value for files without a rule. */
const CACHE_CONTROL = 'public, max-age=0, must-revalidate'

/** The library has no type for this. */
interface Redirect {
  readonly from: string
  readonly to: string
  readonly status: number
}

/** Serves files first, then the redirects of `netlify.toml`, else `404.html`, as Netlify does. */
export async function createSite(folder: string, port: () => number, emulators: () => readonly string[]) {
  const rules = await readHeaderRules(join(folder, '_headers'))
  const redirects = await readRedirects()
  const root = relative(process.cwd(), folder)
  const app = new Hono()
  app.use(async (c, next) => {
    await next()
    c.header('cache-control', CACHE_CONTROL)
    for (const [name, value] of matchHeaders(rules, c.req.path))
      c.header(name, name === 'content-security-policy' ? addSandboxHosts(value, port(), emulators()) : value)
    // Local servers use plain HTTP, which a browser that has received this header refuses.
    c.header('strict-transport-security', undefined)
  })
  app.use(serveStatic({ root, precompressed: true }))
  for (const { from, to, status } of [...redirects, { from: '*', to: '404.html', status: 404 }])
    app.get(from, async (c, next) => {
      if (status === 302) return c.redirect(to)
      const found = await serveStatic({ root, path: to, precompressed: true })(c, next)
      return found && new Response(found.body, { status, headers: found.headers })
    })
  return app
}

async function readRedirects(): Promise<readonly Redirect[]> {
  const { redirects, errors } = await parseAllRedirects({
    redirectsFiles: [],
    netlifyConfigPath: CONFIG,
    configRedirects: [],
    minimal: true,
  })
  if (errors.length > 0) throw new AggregateError(errors, `${CONFIG} has errors`)
  return redirects as Redirect[]
}
