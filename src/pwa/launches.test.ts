import { beforeEach, expect, test, vi } from 'vitest'
import { handleLaunches } from './launches.ts'
import { holdPaymentLock } from './paymentLock.ts'

const ORIGIN = 'https://passerelle.example'
const assign = vi.fn<(url: string) => void>()
let launch = (_path: string) => {}

/** The browser queues this launch until the app has a consumer. */
function openApp(path: string) {
  const launchQueue = {
    setConsumer(consumer: (launch: { targetURL: string }) => void) {
      launch = (path) => consumer({ targetURL: ORIGIN + path })
      launch(path)
    },
  }
  vi.stubGlobal('launchQueue', launchQueue)
  handleLaunches()
}

beforeEach(() => {
  assign.mockReset()
  vi.stubGlobal('location', { assign })
  return () => vi.unstubAllGlobals()
})

test.each(['/?view=history', '/settings?session_id=1', '/?emailVerified=1&proof=x'])(
  'a launch of %s opens it in the open window',
  (path) => {
    openApp('/')
    launch(path)
    expect(assign.mock.calls).toEqual([[ORIGIN + path]])
  },
)

test('a launch by the icon leaves the open window as it is', () => {
  openApp('/')
  launch('/')
  expect(assign).not.toHaveBeenCalled()
})

test('the launch that opened the window does not load it again', () => {
  openApp('/?view=history')
  expect(assign).not.toHaveBeenCalled()
})

test('a launch does not interrupt an open payment', () => {
  openApp('/')
  const end = holdPaymentLock('send')
  launch('/?view=history')
  expect(assign).not.toHaveBeenCalled()
  end()
  launch('/?view=history')
  expect(assign).toHaveBeenCalledTimes(1)
})

test('a browser without launch handling opens the app as before', () => {
  expect(handleLaunches).not.toThrow()
})
