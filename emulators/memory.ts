import { Readable } from 'node:stream'
import type { HttpBindings } from '@hono/node-server'
import type { RunningServer } from './serve.ts'

type Handler = (request: Request, connection: HttpBindings) => Response | Promise<Response>

/** No operating system assigns such a port, so no real server has the same origin. */
const FIRST_PORT = 600
const VISITOR = '127.0.0.1'

const handlers = new Map<number, Handler>()
const network = globalThis.fetch
let served = 0

/** Only this process's `fetch` reaches the URL. Both sides can still cut a call off. */
export function serveInMemory(handler: Handler): RunningServer {
  const port = FIRST_PORT + served
  served += 1
  handlers.set(port, handler)
  globalThis.fetch = fetchInMemory
  return {
    origin: `http://127.0.0.1:${port}`,
    host: `127.0.0.1:${port}`,
    port,
    async close() {
      handlers.delete(port)
    },
  }
}

/** Passes other URLs on to the network. */
async function fetchInMemory(input: string | URL | Request, init: RequestInit = {}): Promise<Response> {
  const { hostname, port } = new URL(input instanceof Request ? input.url : input)
  const handler = hostname === VISITOR || hostname === 'localhost' ? handlers.get(Number(port)) : undefined
  if (!handler) return network(input, init)
  const { signal: givenUp = input instanceof Request ? input.signal : null, ...rest } = init
  givenUp?.throwIfAborted()
  const request = new Request(input, rest)
  const answer = Promise.withResolvers<Response>()
  const giveUp = () => answer.reject(givenUp?.reason)
  givenUp?.addEventListener('abort', giveUp, { once: true })
  const socket = {
    remoteAddress: VISITOR,
    remoteFamily: 'IPv4',
    remotePort: 0,
    destroy: () => answer.reject(buildConnectionError('ECONNRESET')),
  }
  const connection = { incoming: { socket } } as unknown as HttpBindings
  Promise.resolve(handler(request, connection)).then(answer.resolve, () =>
    answer.resolve(new Response('Internal Server Error', { status: 500 })),
  )
  try {
    const response = await answer.promise
    if (request.redirect !== 'manual' && response.headers.has('location'))
      throw new Error('A call in memory does not follow redirects')
    return response
  } finally {
    givenUp?.removeEventListener('abort', giveUp)
  }
}

/** For an SDK that expects a Node stream. */
export async function fetchWithNodeBody(
  input: string | URL | Request,
  init?: RequestInit,
): Promise<Response> {
  const response = await fetchInMemory(input, init)
  const { status, statusText, ok, headers, url } = response
  const bytes = Buffer.from(await response.arrayBuffer())
  const answer = {
    ...{ status, statusText, ok, headers, url },
    body: Readable.from([bytes], { objectMode: false }),
    arrayBuffer: async () => bytes,
    text: async () => bytes.toString(),
    json: async () => JSON.parse(bytes.toString()),
  }
  return answer as unknown as Response
}

const buildConnectionError = (code: string) =>
  Object.assign(new TypeError('fetch failed', { cause: Object.assign(new Error(code), { code }) }), { code })
