import { once } from 'node:events'
import type { Server } from 'node:http'
import { type AddressInfo, createServer, isIP, type Server as Listener } from 'node:net'

/** Both addresses of `localhost`: browsers may try either one first. */
const LOOPBACK_ADDRESSES = ['127.0.0.1', '::1']

/**
 * Returns the addresses to listen on for the setting HOST: those of `localhost`, and HOST if it is an IP
 * address. Other values are ignored, because some shells and tools set HOST to a name.
 */
export function getListenAddresses(host = ''): readonly string[] {
  if (host === '::') return ['::']
  if (host === '0.0.0.0') return ['0.0.0.0', '::1']
  return isIP(host) && !LOOPBACK_ADDRESSES.includes(host) ? [...LOOPBACK_ADDRESSES, host] : LOOPBACK_ADDRESSES
}

/** Whether other machines can reach these addresses. */
export const isReachableFromNetwork = (addresses: readonly string[]) =>
  addresses.some((address) => !LOOPBACK_ADDRESSES.includes(address))

/**
 * Makes the server listen on all addresses, and returns its port; port 0 picks one that is free on each.
 * Rejects if another program uses the port. Skips addresses that the machine lacks, such as those of IPv6.
 */
export async function listenOnPort(
  server: Server,
  addresses: readonly string[],
  wanted: number,
): Promise<number> {
  const [first, ...others] = addresses
  await listen(server, wanted, first)
  const { port } = server.address() as AddressInfo
  for (const address of others) {
    // A server listens on one address; connections to the other addresses are passed on to it.
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
