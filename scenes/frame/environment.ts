// Runs before the app's own code: a browser whose storage, clock, network and URL belong to the scene.
import { IDBFactory, IDBKeyRange } from 'fake-indexeddb'
import type { Failure } from '../../domain/errors/failure.ts'
import { neverAnswer } from '../fixtures.ts'
import { SCENE_TIME, type Scene, type SceneView, type ServiceCall, type ServiceResponse } from '../scene.ts'
import { findScene } from '../scenes.ts'

/** `held`: no response until the test sets the next one. */
export type SetResponse<Value = unknown> = { readonly value: Value } | { readonly failure: Failure } | 'held'

const asked = new URLSearchParams(location.hash.slice(1))

const { responses = {}, heldCode = '', ...change }: SceneChange = JSON.parse(asked.get('change') ?? '{}')
export type SetResponses = { readonly [Call in ServiceCall]?: SetResponse<ServiceResponse<Call>> }

export type SceneChange = Partial<
  Pick<
    Scene,
    'account' | 'delays' | 'device' | 'isOffline' | 'missingCode' | 'page' | 'path' | 'rows' | 'userAgent'
  >
> & {
  readonly responses?: SetResponses
  /** The file name, without extension, of a chunk that loads only once the test releases it. */
  readonly heldCode?: string
}
export { responses }

export const scene: Scene = { ...findScene(asked.get('scene') ?? ''), ...change }

const codeReleased = Promise.withResolvers<void>()
let { missingCode } = scene

const SCHEMES = ['light', 'dark'] as const

export const view: SceneView = {
  language: asked.get('language') === 'en' ? 'en' : 'fr',
  scheme: SCHEMES.find((one) => one === asked.get('scheme')) ?? null,
  textSize: Number(asked.get('text') ?? 100),
  isSlow: asked.get('network') === 'slow',
}

/** Replaces `location` in the build, because the frame's own URL differs, for example a `file:` URL. */
const address = new URL(scene.path ?? '/', 'https://passerelle.example')

const define = (target: object, values: Readonly<Record<string, unknown>>) => {
  for (const [name, value] of Object.entries(values))
    Object.defineProperty(target, name, { value, configurable: true, writable: true })
}

// All frames on a page share the browser's storage and channels, but each scene must have its own.
define(globalThis, {
  indexedDB: scene.hasBrokenStorage ? { open: refuse } : new IDBFactory(),
  IDBKeyRange,
  localStorage: createStorage(),
  sessionStorage: createStorage(),
  BroadcastChannel: class extends EventTarget {
    postMessage() {}
    close() {}
  },
  sceneAddress: address,
  // The build replaces each dynamic import of the app's code with a call of this function.
  async sceneImport<Code>(name: string, load: () => Promise<Code>): Promise<Code> {
    if (name === missingCode) throw new TypeError('Failed to fetch')
    if (name === heldCode) await codeReleased.promise
    return load()
  },
  releaseCode() {
    missingCode = undefined
    codeReleased.resolve()
  },
  // The machines' test situations and fake-indexeddb use it. Browsers delay nested timeouts by 4 ms each.
  setImmediate: createTaskQueue(),
})
if (scene.isStorageBlocked)
  Object.defineProperty(globalThis, 'localStorage', {
    get() {
      throw new DOMException('Access is denied', 'SecurityError')
    },
  })
const serviceWorker = Object.assign(new EventTarget(), {
  controller: null,
  ready: neverAnswer(),
  getRegistration: neverAnswer,
})
define(navigator, {
  onLine: !scene.isOffline,
  serviceWorker: scene.hasNoServiceWorkers ? undefined : serviceWorker,
})
// In the app, src/prerender/opening.ts stores the browser's offer to install it.
if (scene.installation === 'prompt')
  define(window, { opening: { installPrompt: { prompt: async () => {} }, reportError() {} } })
if (scene.installation === 'safariMenu')
  define(navigator, { standalone: false, userAgent: 'iPhone Version/18.5 Mobile/15E148 Safari/604.1' })
if (scene.userAgent) define(navigator, { userAgent: scene.userAgent })
// No machine has the same camera.
define(navigator, { mediaDevices: { getUserMedia: neverAnswer } })
// Never resolves a permission prompt, like a browser whose user has not answered.
define(globalThis, {
  PushManager: class {},
  Notification: { permission: 'granted', requestPermission: neverAnswer },
  open: () => ({ closed: false, close() {} }),
  PublicKeyCredential: {
    isUserVerifyingPlatformAuthenticatorAvailable: async () => !scene.hasNoPasskeys,
  },
})
// The device asks its user, who does not answer.
define(navigator, { credentials: { get: neverAnswer } })

const RealDate = Date
const ahead = SCENE_TIME - RealDate.now()
define(globalThis, {
  Date: class extends RealDate {
    constructor(...given: readonly [] | readonly [value: number | string | Date]) {
      super(...((given.length === 0 ? [RealDate.now() + ahead] : given) as [number]))
    }
    static override now() {
      return RealDate.now() + ahead
    }
  },
})

const start = window.setTimeout
const { delays } = scene
if (delays)
  define(window, {
    setTimeout: (work: () => void, delay = 0, ...given: readonly unknown[]) =>
      start(work, delays[delay] ?? delay, ...given),
  })

const { scheme } = view
const matchMedia = window.matchMedia.bind(window)
if (scheme)
  window.matchMedia = (query) =>
    matchMedia(query.includes('prefers-color-scheme') ? (query.includes(scheme) ? 'all' : 'not all') : query)

// Adds an entry for the home screen below the page's, so that the page's back link leads there.
history.replaceState(null, '')
if (scene.page) history.pushState({ page: scene.page, below: [null], uid: scene.account?.uid }, '')

for (const name of ['pushState', 'replaceState'] as const) {
  const change = history[name].bind(history)
  history[name] = (state, unused, url) => {
    if (url) address.href = new URL(url, address).href
    change(state, unused)
  }
}

window.fetch = async () => {
  if (!navigator.onLine) throw new TypeError('Failed to fetch')
  return new Response(null, { status: 204 })
}

document.documentElement.style.fontSize = `${view.textSize}%`

function refuse() {
  throw new DOMException('', 'UnknownError')
}

function createTaskQueue() {
  const { port1, port2 } = new MessageChannel()
  const tasks: (() => void)[] = []
  port1.onmessage = () => tasks.shift()?.()
  return (task: () => void) => {
    tasks.push(task)
    port2.postMessage(null)
  }
}

function createStorage(): Storage {
  const values = new Map<string, string>()
  const storage = {
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => {
      values.set(key, value)
      Object.defineProperty(storage, key, { value, enumerable: true, configurable: true })
    },
    removeItem: (key: string) => {
      values.delete(key)
      Reflect.deleteProperty(storage, key)
    },
  }
  for (const name of Object.keys(storage)) Object.defineProperty(storage, name, { enumerable: false })
  return storage as unknown as Storage
}
