import { afterEach, expect, test, vi } from 'vitest'
import { accountsOf } from './accounts.ts'

const cert = vi.hoisted(() => vi.fn())
vi.mock('firebase-admin/app', () => ({ cert }))

const serviceAccount = { client_email: 'functions@passerelle.iam.gserviceaccount.com', private_key: 'key' }
const hosted = { projectId: 'passerelle', serviceAccount, authHost: null }
const PHONE = '+33612345678'

/** Answers each call in turn, or fails it, and takes down what was asked. */
function serviceThatAnswers(...answers: (object | Error)[]) {
  const asked: unknown[] = []
  vi.stubGlobal('fetch', async (address: string, { method, headers, body }: RequestInit) => {
    asked.push({ address, method, headers, body: JSON.parse(String(body)) })
    const answer = answers.shift()
    if (answer instanceof Error) throw answer
    return answer instanceof Response ? answer : Response.json(answer)
  })
  return asked
}

afterEach(() => {
  vi.unstubAllGlobals()
  cert.mockReset()
})

test('the hosted service is asked with a token of the service account', async () => {
  cert.mockReturnValue({ getAccessToken: async () => ({ access_token: 'token', expires_in: 3600 }) })
  const asked = serviceThatAnswers({
    kind: 'identitytoolkit#GetAccountInfoResponse',
    users: [{ localId: 'a' }],
  })
  expect(await accountsOf(hosted).ofPhone(PHONE)).toBe('a')
  expect(cert).toHaveBeenCalledExactlyOnceWith({
    projectId: 'passerelle',
    clientEmail: serviceAccount.client_email,
    privateKey: serviceAccount.private_key,
  })
  expect(asked).toEqual([
    {
      address: 'https://identitytoolkit.googleapis.com/v1/projects/passerelle/accounts:lookup',
      method: 'POST',
      headers: { authorization: 'Bearer token', 'content-type': 'application/json' },
      body: { phoneNumber: [PHONE] },
    },
  ])
})

const local = accountsOf({ ...hosted, authHost: 'localhost:9099' })

test('an emulator is asked as its administrator, without a key', async () => {
  const asked = serviceThatAnswers({ kind: 'identitytoolkit#GetAccountInfoResponse' })
  expect(await local.ofPhone(PHONE)).toBe(null)
  expect(cert).not.toHaveBeenCalled()
  expect(asked).toMatchObject([
    {
      address: 'http://localhost:9099/identitytoolkit.googleapis.com/v1/projects/passerelle/accounts:lookup',
      headers: { authorization: 'Bearer owner' },
    },
  ])
})

test('a connection that died is tried once more', async () => {
  const asked = serviceThatAnswers(new TypeError('fetch failed'), { users: [{ localId: 'a' }] })
  expect(await local.ofPhone(PHONE)).toBe('a')
  expect(asked).toHaveLength(2)
})

test.each<[string, (object | Error)[]]>([
  ['refuses', [Response.json({ error: { code: 403 } }, { status: 403 })]],
  ['is down', [Response.json({}, { status: 503 })]],
  ['can not be reached', [new TypeError('fetch failed'), new TypeError('fetch failed')]],
  ['answers what it never should', [{ users: 'none' }]],
])('a service that %s has not said that there is no account', async (_, answers) => {
  serviceThatAnswers(...answers)
  await expect(local.ofPhone(PHONE)).rejects.toThrow()
})

test('an account is known by the time from which its tokens count, its address and its ways in', async () => {
  const providerUserInfo = [
    { providerId: 'password', email: 'ada@example.com', rawId: 'ada@example.com' },
    { providerId: 'phone', phoneNumber: PHONE },
    { providerId: 'google.com', email: 'Ada@Example.com' },
  ]
  const asked = serviceThatAnswers(
    {
      users: [
        {
          localId: 'ada',
          validSince: '1790000000',
          disabled: true,
          email: 'ada@example.com',
          emailVerified: true,
          phoneNumber: PHONE,
          providerUserInfo,
        },
      ],
    },
    {},
    { users: [{ localId: 'ada', email: 'ada@example.com', emailVerified: false }] },
  )
  expect(await local.find('ada')).toEqual({
    validSince: 1_790_000_000_000,
    isDisabled: true,
    verifiedAddress: 'ada@example.com',
    phone: PHONE,
    waysIn: [
      { way: 'password', email: 'ada@example.com' },
      { way: 'phone' },
      { way: 'google.com', email: 'ada@example.com' },
    ],
  })
  expect(await local.find('nobody')).toBeNull()
  expect(await local.find('ada')).toEqual({
    validSince: 0,
    isDisabled: false,
    verifiedAddress: null,
    phone: null,
    waysIn: [],
  })
  expect(asked).toMatchObject([
    { body: { localId: ['ada'] } },
    { body: { localId: ['nobody'] } },
    { body: { localId: ['ada'] } },
  ])
})

test('ways in are closed together with the sessions, and only when the service says so', async () => {
  const down = Response.json({}, { status: 503 })
  const asked = serviceThatAnswers({ localId: 'ada' }, down)
  await local.closeWays('ada', ['phone', 'google.com'], 1_790_000_000_999)
  await expect(local.closeWays('ada', ['phone'], 1_790_000_000_999)).rejects.toThrow('503')
  expect(asked[0]).toMatchObject({
    address: expect.stringMatching(/accounts:update$/),
    body: { localId: 'ada', deleteProvider: ['phone', 'google.com'], validSince: '1790000000' },
  })
})

test('sessions end at a whole second, and only when the service says so', async () => {
  const down = Response.json({}, { status: 503 })
  const asked = serviceThatAnswers({ localId: 'ada' }, down)
  await local.endSessions('ada', 1_790_000_000_999)
  await expect(local.endSessions('ada', 1_790_000_000_999)).rejects.toThrow('503')
  expect(asked[0]).toMatchObject({
    address: expect.stringMatching(/accounts:update$/),
    body: { localId: 'ada', validSince: '1790000000' },
  })
})

test('an account is removed, or was already; anything else is no removal', async () => {
  const refused = (message: string) => Response.json({ error: { code: 400, message } }, { status: 400 })
  const asked = serviceThatAnswers(
    { kind: 'identitytoolkit#DeleteAccountResponse' },
    refused('USER_NOT_FOUND'),
    refused('QUOTA_EXCEEDED'),
    new Response('', { status: 502 }),
  )
  await local.remove('ada')
  await local.remove('ada')
  await expect(local.remove('ada')).rejects.toThrow('400')
  await expect(local.remove('ada')).rejects.toThrow('502')
  expect(asked[0]).toMatchObject({
    address: expect.stringMatching(/accounts:delete$/),
    body: { localId: 'ada' },
  })
})
