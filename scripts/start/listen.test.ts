import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { connect, type Server as Listener, createServer as listener } from 'node:net'
import { afterEach, beforeEach, expect, it, test } from 'vitest'
import { getListenAddresses, isReachableFromNetwork, listenOnPort } from './listen.ts'

const LOOPBACK = ['127.0.0.1', '::1']
let server: Server
const open: Listener[] = []

beforeEach(() => {
  server = createServer((_, response) => response.end('here'))
})
afterEach(async () => {
  server.closeAllConnections()
  for (const one of [server, ...open.splice(0)])
    if (one.listening) await new Promise((resolve) => one.close(resolve))
})

test.each([
  [undefined, LOOPBACK, false],
  ['', LOOPBACK, false],
  ['127.0.0.1', LOOPBACK, false],
  ['::1', LOOPBACK, false],
  ['localhost', LOOPBACK, false],
  // Some shells set this value for their prompt.
  ['x86_64-conda-linux-gnu', LOOPBACK, false],
  ['0.0.0.0', ['0.0.0.0', '::1'], true],
  ['::', ['::'], true],
  ['192.168.1.20', [...LOOPBACK, '192.168.1.20'], true],
])('HOST=%s makes the server listen at %j', (host, addresses, opens) => {
  expect(getListenAddresses(host)).toEqual(addresses)
  expect(isReachableFromNetwork(addresses)).toBe(opens)
})

it('the server responds at localhost only, by default', async () => {
  const port = await listenOnPort(server, getListenAddresses(), 0)
  for (const host of ['localhost', '127.0.0.1'])
    expect(await (await fetch(`http://${host}:${port}`)).text()).toBe('here')
  // Only a server that listens on all addresses accepts connections at this one.
  const socket = connect({ port, host: '127.0.0.2' })
  await expect(once(socket, 'connect')).rejects.toThrow(/ECONNREFUSED|EADDRNOTAVAIL/)
})

it('the server responds at each requested address', async () => {
  const port = await listenOnPort(server, ['127.0.0.1', '127.0.0.2'], 0)
  for (const host of ['127.0.0.1', '127.0.0.2'])
    expect(await (await fetch(`http://${host}:${port}`)).text()).toBe('here')
})

async function occupy(host: string, port = 0) {
  const other = listener().listen(port, host)
  await once(other, 'listening')
  open.push(other)
  return (other.address() as { port: number }).port
}

it.each(['127.0.0.1', '127.0.0.2'])(
  'the server refuses a port that another program uses at %s',
  async (host) => {
    const port = await occupy(host)
    await expect(listenOnPort(server, ['127.0.0.1', '127.0.0.2'], port)).rejects.toMatchObject({
      code: 'EADDRINUSE',
    })
    expect(server.listening).toBe(false)
  },
)

it('the server skips an address that the machine does not have', async () => {
  const port = await listenOnPort(server, ['127.0.0.1', '2001:db8::1'], 0)
  expect(await (await fetch(`http://127.0.0.1:${port}`)).text()).toBe('here')
})
