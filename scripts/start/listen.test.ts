import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { connect, type Server as Listener, createServer as listener } from 'node:net'
import { afterEach, beforeEach, expect, it, test } from 'vitest'
import { addressesFor, isOpen, listenAt } from './listen.ts'

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
  // Set by a shell, for its prompt.
  ['x86_64-conda-linux-gnu', LOOPBACK, false],
  ['0.0.0.0', ['0.0.0.0', '::1'], true],
  ['::', ['::'], true],
  ['192.168.1.20', [...LOOPBACK, '192.168.1.20'], true],
])('HOST=%s listens at %j', (host, addresses, opens) => {
  expect(addressesFor(host)).toEqual(addresses)
  expect(isOpen(addresses)).toBe(opens)
})

it('answers by the name and by both addresses of this machine, and by no other', async () => {
  const port = await listenAt(server, addressesFor(), 0)
  for (const host of ['localhost', '127.0.0.1'])
    expect(await (await fetch(`http://${host}:${port}`)).text()).toBe('here')
  // Another address of the same machine, at which a server answers that listens at all of them.
  const socket = connect({ port, host: '127.0.0.2' })
  await expect(once(socket, 'connect')).rejects.toThrow(/ECONNREFUSED|EADDRNOTAVAIL/)
})

it('answers at each address that it was told', async () => {
  const port = await listenAt(server, ['127.0.0.1', '127.0.0.2'], 0)
  for (const host of ['127.0.0.1', '127.0.0.2'])
    expect(await (await fetch(`http://${host}:${port}`)).text()).toBe('here')
})

/** Somebody else, at a port of this address. */
async function occupy(host: string, port = 0) {
  const other = listener().listen(port, host)
  await once(other, 'listening')
  open.push(other)
  return (other.address() as { port: number }).port
}

it.each(['127.0.0.1', '127.0.0.2'])('refuses a port that somebody else has at %s', async (host) => {
  const port = await occupy(host)
  await expect(listenAt(server, ['127.0.0.1', '127.0.0.2'], port)).rejects.toMatchObject({
    code: 'EADDRINUSE',
  })
  expect(server.listening).toBe(false)
})

it('leaves out an address of a kind that the machine does not have', async () => {
  const port = await listenAt(server, ['127.0.0.1', '2001:db8::1'], 0)
  expect(await (await fetch(`http://127.0.0.1:${port}`)).text()).toBe('here')
})
