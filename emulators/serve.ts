import type { AddressInfo } from 'node:net'
import { createAdaptorServer } from '@hono/node-server'

export interface RunningServer {
  readonly origin: string
  readonly host: string
  readonly port: number
  close(): Promise<void>
}

/** On the loopback interface. Port 0 picks a free port. */
export async function serve(
  fetch: (request: Request) => Response | Promise<Response>,
  port = 0,
): Promise<RunningServer> {
  const server = createAdaptorServer({ fetch })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  const address = server.address() as AddressInfo
  const host = `127.0.0.1:${address.port}`
  return {
    origin: `http://${host}`,
    host,
    port: address.port,
    close: () =>
      new Promise((resolve, reject) => {
        server.close((error) => (error ? reject(error) : resolve()))
        if ('closeAllConnections' in server) server.closeAllConnections()
      }),
  }
}
