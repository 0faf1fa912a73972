import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer as createHttpServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createServer, type ViteDevServer } from 'vite'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { storyboard } from './plugin.ts'

const kept = vi.hoisted(() => ({ PICTURES: '', WALKS: '' }))
vi.mock('./kept.ts', () => kept)
// Its list of the screens takes seconds to be read.
vi.mock('./collect.ts', () => ({
  storyboardData: () => ({
    ...{ screens: [], unseen: {}, walks: [] },
    pictures: existsSync(kept.PICTURES) ? readdirSync(kept.PICTURES) : [],
  }),
}))

let folder = ''
let vite: ViteDevServer
let site: Server

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'storyboard-'))
  kept.PICTURES = join(folder, 'pictures')
  vite = await createServer({
    root: folder,
    configFile: false,
    appType: 'custom',
    logLevel: 'silent',
    plugins: [storyboard()],
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

const ask = (address: string) =>
  fetch(`http://127.0.0.1:${(site.address() as AddressInfo).port}${address}`, {
    // A server that an error has ended answers nothing.
    signal: AbortSignal.timeout(5_000),
  })

function takePictures() {
  mkdirSync(kept.PICTURES)
  writeFileSync(join(kept.PICTURES, 'home-phone.jpg'), 'a picture')
}

/** What the page is told of the pictures, as its browser asks for it. */
async function picturesOfPage() {
  await ask('/storyboard')
  const data = await (await ask('/@id/__x00__virtual:storyboard')).text()
  const { pictures, folder } = JSON.parse(/export default (\{.*\})/.exec(data)?.[1] ?? '{}')
  return { pictures, folder }
}

test('a picture is sent', async () => {
  takePictures()
  const answer = await ask('/storyboard/pictures/home-phone.jpg')
  expect(answer.headers.get('content-type')).toBe('image/jpeg')
  expect(await answer.text()).toBe('a picture')
})

test.each([
  '/storyboard/pictures/',
  '/storyboard/pictures',
  '/storyboard/pictures/?x',
  '/storyboard/pictures/home-phone.jpg?x',
  '/storyboard/pictures/home-phone.png',
  '/storyboard/pictures/nothing.jpg',
  '/storyboard/pictures/..%2fsecret.jpg',
  '/storyboard/pictures/%2e%2e/secret.jpg',
  '/storyboard/pictures/folder/inner.jpg',
  '/storyboard/pictures/folder.jpg',
])('%s is no picture, and the server stays', async (address) => {
  takePictures()
  writeFileSync(join(folder, 'secret.jpg'), 'a secret')
  writeFileSync(join(kept.PICTURES, 'home-phone.png'), 'a secret')
  for (const name of ['folder', 'folder.jpg']) {
    mkdirSync(join(kept.PICTURES, name))
    writeFileSync(join(kept.PICTURES, name, 'inner.jpg'), 'a secret')
  }
  const answer = await ask(address)
  expect(answer.status).toBeGreaterThanOrEqual(404)
  expect(await answer.text()).not.toContain('secret')
  expect(await (await ask('/storyboard/pictures/home-phone.jpg')).text()).toBe('a picture')
})

test('a page that is opened anew finds pictures that were taken meanwhile', async () => {
  expect(await picturesOfPage()).toEqual({ pictures: [], folder: '/storyboard/pictures/' })
  takePictures()
  expect(await picturesOfPage()).toMatchObject({ pictures: ['home-phone.jpg'] })
})
