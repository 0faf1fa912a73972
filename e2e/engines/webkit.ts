import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from '@playwright/test'
import { buildKeyActions, buildTapActions, type Driver, startProgram } from './driver.ts'

/** The browser that the driver starts; Debian's path by default. */
const { WEBKIT_BROWSER = '/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser' } = process.env

// GNOME's WebKit runs on a virtual screen and is driven by WebDriver: https://www.w3.org/TR/webdriver2/
export async function startWebkit(): Promise<Driver> {
  const home = await mkdtemp(join(tmpdir(), 'passerelle-webkit-'))
  await mkdir(join(home, '.config'))
  await writeFile(join(home, '.config/user-dirs.dirs'), 'XDG_DOWNLOAD_DIR="$HOME/Downloads"\n')
  const screen = await startProgram(['Xvfb', '-displayfd', '1', '-screen', '0', '1600x1200x24'], /^\d+$/)
  const port = await freePort()
  const downloads = join(home, 'Downloads')
  await mkdir(downloads)
  const address = `http://127.0.0.1:${port}`
  const isReady = async () => (await fetch(`${address}/status`)).ok
  const driver = await startProgram(['WebKitWebDriver', `--port=${port}`], isReady, {
    DISPLAY: `:${screen.output}`,
    HOME: home,
    LANG: 'C.UTF-8',
  })
  const send = async (method: string, path: string, body?: object): Promise<unknown> => {
    const response = await fetch(`${address}${path}`, {
      method,
      ...(body && { body: JSON.stringify(body) }),
    })
    const { value } = (await response.json()) as { value: unknown }
    if (!response.ok) throw new Error(`${method} ${path}: ${JSON.stringify(value)}`)
    return value
  }
  const { sessionId } = (await send('POST', '/session', {
    capabilities: {
      alwaysMatch: { 'webkitgtk:browserOptions': { binary: WEBKIT_BROWSER, args: ['--automation'] } },
    },
  })) as { sessionId: string }
  const tell = (command: string, body: object) => send('POST', `/session/${sessionId}/${command}`, body)
  const inFrame = async <Answer>(frame: number | null, work: () => Promise<Answer>): Promise<Answer> => {
    if (frame === null) return work()
    await tell('frame', { id: frame })
    return work().finally(() => tell('frame', { id: null }))
  }
  const ask = (command: string) => send('GET', `/session/${sessionId}/${command}`)

  return {
    downloads,
    // The buttons in the browser's toolbar don't fit into a narrower window.
    narrowest: 447,
    go: async (url) => void (await tell('url', { url })),
    reload: async () => void (await tell('refresh', {})),
    async run(work, argument, frame = null) {
      const script = `const [argument, done] = arguments
        Promise.resolve(argument).then(${work}).then(
          (value) => done({ value: value ?? null }), (error) => done({ error: String(error) }))`
      const { value, error } = await inFrame(
        frame,
        async () => (await tell('execute/async', { script, args: [argument ?? null] })) as Outcome,
      )
      if (error !== undefined) throw new Error(error)
      return value
    },
    // Coordinates start at the corner of the page, even in a frame.
    tap: async ({ x, y, inset }) =>
      void (await tell('actions', { actions: buildTapActions(x + inset.x, y + inset.y) })),
    type: async (strokes) => void (await tell('actions', { actions: buildKeyActions(strokes) })),
    async resize(width, height) {
      // The window has a toolbar above the page, and gets its size some time after the command.
      const isResized = async () => {
        const inside = { script: 'return [innerWidth, innerHeight]', args: [] }
        const [innerWidth, innerHeight] = (await tell('execute/sync', inside)) as [number, number]
        if (innerWidth === width && innerHeight === height) return true
        const rect = (await ask('window/rect')) as { width: number; height: number }
        await tell('window/rect', {
          width: rect.width + width - innerWidth,
          height: rect.height + height - innerHeight,
        })
        return false
      }
      await expect.poll(isResized).toBe(true)
    },
    windows: async () => (await ask('window/handles')) as string[],
    use: async (handle) => void (await tell('window', { handle })),
    picture: async () => Buffer.from((await ask('screenshot')) as string, 'base64'),
    async end() {
      await send('DELETE', `/session/${sessionId}`).catch(() => undefined)
      await driver.end()
      await screen.end()
      await rm(home, { recursive: true, force: true })
    },
  }
}

interface Outcome {
  readonly value?: unknown
  readonly error?: string
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}
