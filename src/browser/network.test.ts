import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { checkNetwork, onlineStore, runAfterNetworkCheck } from './network.ts'

let says = false
let requests: PromiseWithResolvers<Response>[] = []

beforeEach(() => {
  says = false
  requests = []
  onlineStore.set(true)
  vi.stubGlobal('navigator', {
    get onLine() {
      return says
    },
  })
  vi.stubGlobal('fetch', () => {
    const request = Promise.withResolvers<Response>()
    requests.push(request)
    return request.promise
  })
})
afterEach(() => vi.unstubAllGlobals())

test('the network check trusts a browser that reports a network', async () => {
  says = true
  expect(await checkNetwork()).toBe(true)
  expect(requests).toEqual([])
})

test.each([200, 404, 503])('the check finds a network by the status %d', async (status) => {
  const checked = checkNetwork()
  requests[0]?.resolve(new Response(null, { status }))
  expect(await checked).toBe(true)
})

test('the network check finds no network when its request fails', async () => {
  const checked = checkNetwork()
  requests[0]?.reject(new TypeError('Failed to fetch'))
  expect(await checked).toBe(false)
  expect(onlineStore.get()).toBe(false)
})

test('the check ignores a response after a later request’s failure', async () => {
  const earlier = checkNetwork()
  const later = checkNetwork()
  requests[1]?.reject(new TypeError('Failed to fetch'))
  await later
  requests[0]?.resolve(new Response())
  expect(await earlier).toBe(false)
})

test('the network check finds that the network returned during its request', async () => {
  const checked = checkNetwork()
  says = true
  requests[0]?.reject(new TypeError('Failed to fetch'))
  expect(await checked).toBe(true)
})

test('runAfterNetworkCheck checks a network that the browser denies', async () => {
  const work = vi.fn(() => onlineStore.get())
  const pressed = runAfterNetworkCheck(work)
  expect(work).not.toHaveBeenCalled()
  requests[0]?.reject(new TypeError('no network'))
  await pressed
  expect(work).toHaveReturnedWith(false)
})
