import { readdirSync } from 'node:fs'
import { getConnInfo } from '@hono/node-server/conninfo'
import { type Context, Hono } from 'hono'

interface Visitor {
  readonly ip: string
}

type Handler = (request: Request, visitor: Visitor) => Promise<Response>

const folder = new URL('../netlify/functions/', import.meta.url)

/** As configured in the functions' files. */
export const FUNCTION_PATHS: Readonly<Record<string, string>> = { 'recipient-page': '/t/*' }

/** A module is loaded at its first call, after the settings are in the environment. */
export function createFunctionsApp() {
  const names = readdirSync(folder)
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((name) => name.replace(/\.ts$/, ''))
  const app = new Hono()
  for (const name of names)
    app.all(FUNCTION_PATHS[name] ?? `/.netlify/functions/${name}`, async (c) => {
      const { default: handler } = (await import(new URL(`${name}.ts`, folder).href)) as { default: Handler }
      return handler(c.req.raw, getVisitor(c))
    })
  app.all('/.netlify/functions/*', (c) => c.text('Function not found', 404))
  return app
}

/** Ignores what the headers say, as Netlify does. */
export function getVisitor(c: Context): Visitor {
  return { ip: getConnInfo(c).remote.address ?? '' }
}
