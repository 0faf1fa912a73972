import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer as createHttpServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createServer, type ViteDevServer } from 'vite'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createStoryboardPlugin } from './plugin.ts'

const collected = vi.hoisted(() => ({ texts: {} }))
const kept = vi.hoisted(() => ({ FRAME_FOLDER: '' }))
const frame = vi.hoisted(() => ({ ensureFrameBuilt: vi.fn() }))
// Building the frame and its list of scenes takes seconds.
vi.mock('../../scenes/build/folder.ts', () => kept)
vi.mock('../../scenes/build/frame.ts', () => frame)
vi.mock('./collect.ts', () => ({ collectStoryboardData: () => collected }))

let folder = ''
let vite: ViteDevServer
let site: Server

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'storyboard-'))
  kept.FRAME_FOLDER = folder
  frame.ensureFrameBuilt.mockImplementation(() => writeFileSync(join(folder, 'frame.html'), 'the frame'))
  vite = await createServer({
    root: folder,
    configFile: false,
    appType: 'custom',
    logLevel: 'silent',
    plugins: [createStoryboardPlugin()],
    server: { middlewareMode: true, ws: false, watch: null },
    optimizeDeps: { noDiscovery: true },
  })
  site = createHttpServer((request, response) =>
    vite.middlewares(request, response, () => response.writeHead(404).end('not here')),
  )
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
})
afterEach(async () => {
  site.close()
  await vite.close()
  rmSync(folder, { recursive: true })
})

const request = (address: string) =>
  fetch(`http://127.0.0.1:${(site.address() as AddressInfo).port}${address}`, {
    // After a fatal error, the server never responds.
    signal: AbortSignal.timeout(5_000),
  })

test('the storyboard’s server builds the frame before it sends it', async () => {
  const response = await request('/frame.html')
  expect(response.headers.get('content-type')).toBe('text/html')
  expect(await response.text()).toBe('the frame')
})

test.each(['/scene.png', '/frame.html/..%2fsecret', '/scene.js'])(
  'the storyboard’s server answers 404 for %s, and keeps running',
  async (address) => {
    expect((await request(address)).status).toBe(404)
    expect((await request('/frame.html')).status).toBe(200)
  },
)

test('the storyboard’s server finds new texts after a reload', async () => {
  const readData = async () => {
    await request('/storyboard')
    return (await request('/@id/__x00__virtual:storyboard')).text()
  }
  expect(await readData()).toContain('"texts":{}')
  collected.texts = { home: { fr: 'Envoyer', en: 'Send' } }
  expect(await readData()).toContain('"fr":"Envoyer"')
})
