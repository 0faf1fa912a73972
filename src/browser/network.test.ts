import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { checkLoginPage, checkNetwork, loginPageStore, onlineStore, runAfterNetworkCheck } from './network.ts'

let says = false
let requests: PromiseWithResolvers<Response>[] = []

beforeEach(() => {
  says = false
  requests = []
  onlineStore.set(true)
  loginPageStore.set(false)
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

const LOGIN_PAGE = () => new Response(null, { headers: { 'content-type': 'text/html; charset=utf-8' } })

async function arriveAtLoginPage() {
  says = true
  const checked = checkLoginPage()
  requests[0]?.resolve(LOGIN_PAGE())
  return checked
}

test('a network that answers with its login page counts as none', async () => {
  expect(await arriveAtLoginPage()).toBe(true)
  expect([loginPageStore.get(), onlineStore.get()]).toEqual([true, false])
  const checked = checkNetwork()
  requests[1]?.resolve(LOGIN_PAGE())
  expect(await checked).toBe(false)
  expect(loginPageStore.get()).toBe(true)
})

test.each<[string, () => Promise<Response>]>([
  ['the server answers', async () => new Response(null, { headers: { 'content-type': 'text/plain' } })],
  ['another network reports itself', () => Promise.reject(new TypeError('Failed to fetch'))],
])('a network check after the login page finds a network once %s', async (_, answer) => {
  await arriveAtLoginPage()
  const checked = checkNetwork()
  requests[1]?.resolve(answer())
  expect(await checked).toBe(true)
  expect(loginPageStore.get()).toBe(false)
})

test('a page of our own host is not a login page', async () => {
  const listener = vi.fn()
  onTestFinished(onlineStore.subscribe(listener))
  const checked = checkLoginPage()
  requests[0]?.resolve(new Response(null, { headers: { 'content-type': 'text/plain' } }))
  expect(await checked).toBe(false)
  expect(loginPageStore.get()).toBe(false)
  // A change would make the app repeat the call at once, endlessly.
  expect(listener).not.toHaveBeenCalled()
})
