import { Readable } from 'node:stream'
import type { HttpBindings } from '@hono/node-server'
import type { Served } from './serve.ts'

type Handler = (request: Request, connection: HttpBindings) => Response | Promise<Response>

/** No port that an operating system gives to anybody. */
const FIRST_PORT = 600
const VISITOR = '127.0.0.1'

const handlers = new Map<number, Handler>()
const network = globalThis.fetch
let served = 0

/**
 * Serves a fetch handler to this process alone, under an address of its own that `fetch` knows: without sockets, HTTP's text and
 * their cost. What a connection can do to a call it does here too: be cut, and be given up by who waits for the answer.
 */
export function serveInMemory(handler: Handler): Served {
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

/** As the global one, which asks the network about every other address. */
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
    destroy: () => answer.reject(connectionError('ECONNRESET')),
  }
  const connection = { incoming: { socket } } as unknown as HttpBindings
  Promise.resolve(handler(request, connection)).then(answer.resolve, () =>
    answer.resolve(new Response('Internal Server Error', { status: 500 })),
  )
  try {
    const response = await answer.promise
    if (request.redirect !== 'manual' && response.headers.has('location'))
      throw new Error('A call in memory follows no redirect')
    return response
  } finally {
    givenUp?.removeEventListener('abort', giveUp)
  }
}

/** The same for SDKs that were made for Node's own clients: the body of an answer is a stream of Node's, not of the web. */
export async function fetchForNode(input: string | URL | Request, init?: RequestInit): Promise<Response> {
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

const connectionError = (code: string) =>
  Object.assign(new TypeError('fetch failed', { cause: Object.assign(new Error(code), { code }) }), { code })
