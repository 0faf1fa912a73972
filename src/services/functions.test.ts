import { expect, test, vi } from 'vitest'
import { CANCEL_PAYMENT_INTENT } from '../../domain/api/payments.ts'
import { toFailure } from '../browser/failure.ts'
import { callFunction } from './functions.ts'

vi.mock('./token.ts', () => ({ withToken: <T>(work: (token: null) => T) => work(null) }))

const answer = (status: number, body: unknown) =>
  vi.stubGlobal('fetch', async () =>
    typeof body === 'string' ? new Response(body, { status }) : Response.json(body, { status }),
  )

const release = () =>
  callFunction(CANCEL_PAYMENT_INTENT, { attemptId: 'a1' }).catch((error) => ({ failure: toFailure(error) }))

test('callFunction returns a response that matches the schema', async () => {
  answer(200, { outcome: 'released' })
  expect(await release()).toEqual({ outcome: 'released' })
})

test.each([
  ['cut off', '{"outcome":"rel'],
  ['of another shape', { outcome: 'paid', transaction: { id: 'pi_1' } }],
  ['empty', null],
])('callFunction rejects a response that is %s as a network failure', async (_, body) => {
  answer(200, body)
  expect(await release()).toEqual({ failure: { kind: 'network' } })
})

test.each([
  ['the network’s login page', 'text/html', true],
  ['a page of our host', 'text/plain', false],
])('callFunction rejects %s as a network failure of its own', async (_, robots, isLoginPage) => {
  vi.stubGlobal('fetch', async (path: string) => {
    const type = path === '/robots.txt' ? robots : 'text/html; charset=utf-8'
    return new Response('<html>Sign in to the airport</html>', { headers: { 'content-type': type } })
  })
  expect(await release()).toEqual({ failure: { kind: 'network', isLoginPage } })
})

test.each([
  [
    'known',
    429,
    { code: 'tooManyRequests', error: 'No', message: 'Not now', details: { retryAfterSeconds: 9 } },
  ],
  ['of a newer server', 409, { code: 'movedToMars', error: 'No', message: '', details: {} }],
  ['without its details', 429, { code: 'tooManyRequests', error: 'No', message: '' }, 'unknown'],
  ['without a code', 400, { error: 'No' }, ''],
  ['not JSON', 502, '<html>Bad gateway</html>', ''],
])(
  'callFunction rejects with the failure of a refusal that is %s',
  async (_, status, body, code?: string) => {
    answer(status, body)
    const words = { code, error: '', message: '', details: {}, ...(typeof body === 'object' && body) }
    expect(await release()).toEqual({
      failure: { kind: 'function', status, ...words, ...(code !== undefined && { code }) },
    })
  },
)
