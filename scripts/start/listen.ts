import { once } from 'node:events'
import type { Server } from 'node:http'
import { type AddressInfo, createServer, isIP, type Server as Listener } from 'node:net'

/** `localhost`, by both of its addresses: browsers ask for either one first. */
const THIS_MACHINE = ['127.0.0.1', '::1']

/**
 * The addresses to listen at for the setting HOST: this machine's own, and besides the one that it names. What is no address
 * opens nothing: some shells and tools set HOST to a name of theirs.
 */
export function addressesFor(host = ''): readonly string[] {
  if (host === '::') return ['::']
  if (host === '0.0.0.0') return ['0.0.0.0', '::1']
  return isIP(host) && !THIS_MACHINE.includes(host) ? [...THIS_MACHINE, host] : THIS_MACHINE
}

/** Whether others than this machine reach a server at these addresses. */
export const isOpen = (addresses: readonly string[]) =>
  addresses.some((address) => !THIS_MACHINE.includes(address))

/**
 * Lets the server listen at all of the addresses, and returns its port; 0 takes one that is free at each. Rejects when
 * somebody else has the port at one of them. An address of a kind that the machine does not have is left out.
 */
export async function listenAt(
  server: Server,
  addresses: readonly string[],
  wanted: number,
): Promise<number> {
  const [first, ...others] = addresses
  await listen(server, wanted, first)
  const { port } = server.address() as AddressInfo
  for (const address of others) {
    // A server has one address: what comes to another one is handed to it.
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
      if (code === 'EADDRINUSE' && wanted === 0) return listenAt(server, addresses, wanted)
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
