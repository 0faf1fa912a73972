import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createActor } from 'xstate'
import { offlineRefusedStore } from '../pwa/serviceWorkers.ts'
import { updateLogic } from './update.ts'

const worker = vi.hoisted(() => ({
  addEventListener: vi.fn(),
  removeEventListener: vi.fn(),
  register: vi.fn(),
  update: vi.fn(),
}))
vi.mock('workbox-window', () => ({
  Workbox: class {
    constructor() {
      // biome-ignore lint/correctness/noConstructorReturn: the tests control this instance.
      return worker
    }
  },
}))

const reportError = vi.fn()
const fetched = vi.fn()
let version: EventTarget & { state: string }
let registration: { installing: typeof version | null } & EventTarget
let page: EventTarget & { visibilityState: string }
let actor: ReturnType<typeof createActor<typeof updateLogic>>

beforeEach(() => {
  vi.stubEnv('PROD', true)
  const serviceWorker = Object.assign(new EventTarget(), { controller: null })
  vi.stubGlobal('navigator', { serviceWorker })
  page = Object.assign(new EventTarget(), { visibilityState: 'visible' })
  vi.stubGlobal('document', page)
  vi.stubGlobal('window', { opening: { reportError } })
  vi.stubGlobal('fetch', fetched.mockReset().mockResolvedValue(new Response()))
  reportError.mockReset()
  version = Object.assign(new EventTarget(), { state: 'installing' })
  registration = Object.assign(new EventTarget(), { installing: version })
  worker.register.mockReset().mockResolvedValue(registration)
  worker.update.mockReset().mockResolvedValue(undefined)
  actor = createActor(updateLogic)
})
afterEach(() => {
  actor.stop()
  vi.unstubAllGlobals()
  vi.unstubAllEnvs()
})

const lost = new TypeError('Failed to fetch')

function change(state: string) {
  version.state = state
  version.dispatchEvent(new Event('statechange'))
}

const settled = () => new Promise((resolve) => setImmediate(resolve))

const FAILURES: Record<string, () => Promise<void> | void> = {
  'an update that fails': async () => {
    worker.update.mockRejectedValue(lost)
    actor.start()
    await vi.waitFor(() => expect(worker.register).toHaveBeenCalled())
    page.dispatchEvent(new Event('visibilitychange'))
  },
  'a version whose files do not all arrive': async () => {
    registration.installing = null
    actor.start()
    await settled()
    registration.installing = version
    registration.dispatchEvent(new Event('updatefound'))
    change('redundant')
  },
  'a version that the browser has begun to install earlier': async () => {
    actor.start()
    await settled()
    change('redundant')
  },
}

describe.each(Object.entries(FAILURES))('%s', (_, happen) => {
  test('a failed update of the app is reported if the server answers', async () => {
    await happen()
    await vi.waitFor(() => expect(reportError).toHaveBeenCalledWith('worker', expect.any(Error)))
    expect(reportError).toHaveBeenCalledOnce()
  })

  test('a failed update of the app is not reported without a network', async () => {
    fetched.mockRejectedValue(lost)
    await happen()
    await vi.waitFor(() => expect(fetched).toHaveBeenCalled())
    await settled()
    expect(reportError).not.toHaveBeenCalled()
  })
})

test('an app update that installs is not reported as failed', async () => {
  actor.start()
  await settled()
  change('installed')
  change('redundant')
  await settled()
  expect(fetched).not.toHaveBeenCalled()
  expect(reportError).not.toHaveBeenCalled()
})

test('a browser that refuses service workers is noted, and not reported', async () => {
  offlineRefusedStore.set(false)
  worker.register.mockRejectedValue(new DOMException('The operation is insecure.', 'SecurityError'))
  actor.start()
  await vi.waitFor(() => expect(offlineRefusedStore.get()).toBe(true))
  expect(reportError).not.toHaveBeenCalled()
})
