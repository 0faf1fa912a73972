import { afterEach, expect, test, vi } from 'vitest'
import { fetchOrElse } from './fetchOrElse.ts'

const request = new Request('https://passerelle.example/t/code')
const page = new Response('the page')
const check = new Response('the check')

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('the network’s page is shown if it answers', async () => {
  vi.stubGlobal('fetch', async () => page)
  expect(await fetchOrElse(request, async () => check)).toBe(page)
})

test('the check replaces a page that the network can’t fetch', async () => {
  vi.stubGlobal('fetch', async () => Promise.reject(new TypeError('offline')))
  expect(await fetchOrElse(request, async () => check)).toBe(check)
})

test('a network that never answers is given up after 8 seconds', async () => {
  vi.useFakeTimers()
  vi.stubGlobal('fetch', () => new Promise(() => {}))
  const shown = vi.fn()
  fetchOrElse(request, async () => check).then(shown)
  await vi.advanceTimersByTimeAsync(7_999)
  expect(shown).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(1)
  expect(shown).toHaveBeenCalledWith(check)
})
