import { readdirSync } from 'node:fs'
import { getConnInfo } from '@hono/node-server/conninfo'
import { type Context, Hono } from 'hono'

interface Visitor {
  readonly ip: string
}

type Handler = (request: Request, visitor: Visitor) => Promise<Response>

const folder = new URL('../netlify/functions/', import.meta.url)

/** Which functions answer elsewhere, by what they say to the host themselves. */
export const PATHS: Readonly<Record<string, string>> = { 'recipient-page': '/t/*' }

/**
 * The product's own functions under the addresses that Netlify gives them. A module is loaded at its first
 * call, after the settings are in the environment.
 */
export function functionsApp() {
  const names = readdirSync(folder)
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((name) => name.replace(/\.ts$/, ''))
  const app = new Hono()
  for (const name of names)
    app.all(PATHS[name] ?? `/.netlify/functions/${name}`, async (c) => {
      const { default: handler } = (await import(new URL(`${name}.ts`, folder).href)) as { default: Handler }
      return handler(c.req.raw, visitorOf(c))
    })
  app.all('/.netlify/functions/*', (c) => c.text('Function not found', 404))
  return app
}

/** As the host tells it: from the connection, whatever the headers say. */
export function visitorOf(c: Context): Visitor {
  return { ip: getConnInfo(c).remote.address ?? '' }
}
