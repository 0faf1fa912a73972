import { afterEach, beforeEach, expect, test, vi } from 'vitest'

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubEnv('VITE_FIREBASE_PROJECT_ID', 'passerelle')
  vi.stubEnv('VITE_FIREBASE_API_KEY', 'key')
  vi.stubEnv('VITE_FIREBASE_STORAGE_BUCKET', 'passerelle.example')
})

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllEnvs()
  vi.unstubAllGlobals()
})

test('fetchDocumentAddress retries a failing storage for two minutes, then rejects @spec-storage-timeout', async () => {
  const fails = vi.fn(async () => new Response('', { status: 503 }))
  vi.stubGlobal('fetch', fails)
  const { fetchDocumentAddress } = await import('./files.ts')
  const failed = vi.fn()
  fetchDocumentAddress('u1', 'a').catch(failed)
  await vi.advanceTimersByTimeAsync(119_000)
  expect(failed).not.toHaveBeenCalled()
  expect(fails.mock.calls.length).toBeGreaterThan(3)
  await vi.advanceTimersByTimeAsync(2_000)
  expect(failed.mock.calls).toMatchObject([[{ failure: { kind: 'storage', code: 'retry-limit-exceeded' } }]])
})
