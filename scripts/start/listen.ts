import { once } from 'node:events'
import type { Server } from 'node:http'
import { type AddressInfo, createServer, isIP, type Server as Listener } from 'node:net'

/** Browsers may try either address of `localhost` first. */
const LOOPBACK_ADDRESSES = ['127.0.0.1', '::1']

/** HOST is used if it is an IP address: some shells and tools set HOST to a name. */
export function getListenAddresses(host = ''): readonly string[] {
  if (host === '::') return ['::']
  if (host === '0.0.0.0') return ['0.0.0.0', '::1']
  return isIP(host) && !LOOPBACK_ADDRESSES.includes(host) ? [...LOOPBACK_ADDRESSES, host] : LOOPBACK_ADDRESSES
}

export const isReachableFromNetwork = (addresses: readonly string[]) =>
  addresses.some((address) => !LOOPBACK_ADDRESSES.includes(address))

/** Port 0 picks one that is free on each address. Rejects if another program uses the port. */
export async function listenOnPort(
  server: Server,
  addresses: readonly string[],
  wanted: number,
): Promise<number> {
  const [first, ...others] = addresses
  await listen(server, wanted, first)
  const { port } = server.address() as AddressInfo
  for (const address of others) {
    // A server listens on one address; the others pass connections on to it.
    const other = createServer({ allowHalfOpen: true, noDelay: true }, (socket) =>
      server.emit('connection', socket),
    )
    try {
      await listen(other, port, address)
      server.once('close', () => other.close())
    } catch (error) {
      const { code = '' } = error as NodeJS.ErrnoException
      if (NOT_HERE.includes(code)) continue
      server.close()
      await once(server, 'close')
      if (code === 'EADDRINUSE' && wanted === 0) return listenOnPort(server, addresses, wanted)
      throw error
    }
  }
  return port
}

const NOT_HERE = ['EADDRNOTAVAIL', 'EAFNOSUPPORT']

async function listen(server: Listener, port: number, host: string | undefined) {
  server.listen({ port, host })
  await once(server, 'listening')
}
