import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { FRAME_FOLDER } from '../../scenes/build/folder.ts'
import { CHECKERS } from '../checkers.ts'

const TYPES = { html: 'text/html', js: 'text/javascript', css: 'text/css' } as const

let origin: Promise<string> | undefined

/**
 * Returns the origin. A page from a disk can't read its own style sheet, which the checkers need, and the
 * browser caches compiled scripts only of a server.
 */
export function serveScenes(): Promise<string> {
  origin ??= new Promise((started) => {
    const server = createServer(({ url = '' }, response) => {
      const [, name = '', type] = /^\/(\w+)\.(html|js|css)(?:\?|$)/.exec(url) ?? []
      if (!type) return void response.writeHead(404).end()
      response.setHeader('content-type', TYPES[type as keyof typeof TYPES])
      response.setHeader('cache-control', 'max-age=86400')
      response.end(
        CHECKERS[name as keyof typeof CHECKERS] ?? readFileSync(join(FRAME_FOLDER, `${name}.${type}`)),
      )
    })
    server.listen(0, 'localhost', () =>
      started(`http://localhost:${(server.address() as AddressInfo).port}/`),
    )
    server.unref()
  })
  return origin
}
