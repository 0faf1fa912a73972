import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildKeyActions, buildTapActions, type Driver, startProgram } from './driver.ts'

const { FIREFOX_PATH = 'firefox-esr' } = process.env

// Firefox has a built-in WebDriver BiDi: https://www.w3.org/TR/webdriver-bidi/
export async function startFirefox(): Promise<Driver> {
  const profile = await mkdtemp(join(tmpdir(), 'passerelle-firefox-'))
  const downloads = join(profile, 'downloads')
  const settings = {
    // A browser dialog over the page would take the next tap.
    'browser.download.alwaysOpenPanel': false,
    'signon.rememberSignons': false,
    'browser.shell.checkDefaultBrowser': false,
    'browser.startup.homepage_override.mstone': 'ignore',
    'datareporting.policy.dataSubmissionEnabled': false,
    'intl.accept_languages': 'fr-FR, fr',
  }
  const lines = Object.entries(settings).map(
    ([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)})\n`,
  )
  await writeFile(join(profile, 'user.js'), lines.join(''))
  const firefox = await startProgram(
    [FIREFOX_PATH, '--headless', '--no-remote', '--profile', profile, '--remote-debugging-port=0'],
    /BiDi listening on (ws:\S+)/,
  )
  const { send, close } = await connect(`${firefox.output}/session`)
  await send('session.new', { capabilities: {} })
  await send('browser.setDownloadBehavior', {
    downloadBehavior: { type: 'allowed', destinationFolder: downloads },
  })

  const tabs = async () => (await send<{ contexts: Tab[] }>('browsingContext.getTree', {})).contexts
  // The initial tab never gets the focus, so its space bar does not work.
  const [first] = await tabs()
  const { context: opened } = await send<Tab>('browsingContext.create', { type: 'tab' })
  await send('browsingContext.close', { context: first?.context })
  let current = opened
  const listFrames = async (root: string) =>
    (await send<{ contexts: Tab[] }>('browsingContext.getTree', { root })).contexts[0]?.children ?? []
  const resolveContext = async (frame: number | null) =>
    frame === null ? current : ((await listFrames(current))[frame]?.context ?? current)

  return {
    downloads,
    narrowest: 0,
    go: async (url) =>
      void (await send('browsingContext.navigate', { context: current, url, wait: 'complete' })),
    reload: async () => void (await send('browsingContext.reload', { context: current, wait: 'complete' })),
    async run(work, argument, frame = null) {
      // Values are passed as JSON, because the protocol's own format changes some.
      const { result, exceptionDetails } = await send<Called>('script.callFunction', {
        functionDeclaration: `(argument) => Promise.resolve(JSON.parse(argument)).then(${work}).then((value) => JSON.stringify(value ?? null))`,
        arguments: [{ type: 'string', value: JSON.stringify(argument ?? null) }],
        awaitPromise: true,
        target: { context: await resolveContext(frame) },
      })
      if (exceptionDetails) throw new Error(exceptionDetails.text)
      return JSON.parse(result.value)
    },
    async tap({ x, y, frame }) {
      // A finger would focus the window; the tap command leaves the focus in the window opened last.
      await send('browsingContext.activate', { context: current })
      await send('input.performActions', {
        context: await resolveContext(frame),
        actions: buildTapActions(x, y),
      })
    },
    type: async (strokes, frame) =>
      void (await send('input.performActions', {
        context: await resolveContext(frame),
        actions: buildKeyActions(strokes),
      })),
    resize: async (width, height) =>
      void (await send('browsingContext.setViewport', { context: current, viewport: { width, height } })),
    windows: async () => (await tabs()).map(({ context }) => context),
    async use(context) {
      current = context
      await send('browsingContext.activate', { context })
    },
    async picture() {
      const { data } = await send<{ data: string }>('browsingContext.captureScreenshot', { context: current })
      return Buffer.from(data, 'base64')
    },
    async end() {
      close()
      await firefox.end()
      await rm(profile, { recursive: true, force: true })
    },
  }
}

interface Tab {
  readonly context: string
  readonly children: readonly Tab[] | null
}

interface Called {
  readonly result: { readonly value: string }
  readonly exceptionDetails?: { readonly text: string }
}

interface Message {
  readonly id?: number
  readonly type: 'success' | 'error' | 'event'
  readonly result?: unknown
  readonly error?: string
  readonly message?: string
}

async function connect(address: string) {
  const socket = new WebSocket(address)
  const waiting = new Map<number, PromiseWithResolvers<unknown>>()
  socket.addEventListener('message', ({ data }) => {
    const { id, type, result, error, message } = JSON.parse(String(data)) as Message
    const asked = id === undefined ? undefined : waiting.get(id)
    if (id !== undefined) waiting.delete(id)
    if (type === 'error') asked?.reject(new Error(`${error}: ${message}`))
    else asked?.resolve(result)
  })
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve, { once: true })
    socket.addEventListener('error', reject, { once: true })
  })
  let last = 0
  return {
    send<Answer>(method: string, params: object): Promise<Answer> {
      last += 1
      const asked = Promise.withResolvers<unknown>()
      waiting.set(last, asked)
      socket.send(JSON.stringify({ id: last, method, params }))
      return asked.promise as Promise<Answer>
    },
    close: () => socket.close(),
  }
}
