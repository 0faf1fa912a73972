import { afterEach, expect, test, vi } from 'vitest'
import { createAccountsClient } from './accounts.ts'

const cert = vi.hoisted(() => vi.fn())
vi.mock('firebase-admin/app', () => ({ cert }))

const serviceAccount = { client_email: 'functions@passerelle.iam.gserviceaccount.com', private_key: 'key' }
const hosted = { projectId: 'passerelle', serviceAccount, authHost: null }
const PHONE = '+33612345678'

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

test('the hosted service is called with the service account’s token', async () => {
  cert.mockReturnValue({ getAccessToken: async () => ({ access_token: 'token', expires_in: 3600 }) })
  const asked = serviceThatAnswers({
    kind: 'identitytoolkit#GetAccountInfoResponse',
    users: [{ localId: 'a' }],
  })
  expect(await createAccountsClient(hosted).findByPhone(PHONE)).toBe('a')
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

const local = createAccountsClient({ ...hosted, authHost: 'localhost:9099' })

test('an emulator is called with the administrator’s token', async () => {
  const asked = serviceThatAnswers({ kind: 'identitytoolkit#GetAccountInfoResponse' })
  expect(await local.findByPhone(PHONE)).toBe(null)
  expect(cert).not.toHaveBeenCalled()
  expect(asked).toMatchObject([
    {
      address: 'http://localhost:9099/identitytoolkit.googleapis.com/v1/projects/passerelle/accounts:lookup',
      headers: { authorization: 'Bearer owner' },
    },
  ])
})

test('a call with a failed connection is repeated once', async () => {
  const asked = serviceThatAnswers(new TypeError('fetch failed'), { users: [{ localId: 'a' }] })
  expect(await local.findByPhone(PHONE)).toBe('a')
  expect(asked).toHaveLength(2)
})

test.each<[string, (object | Error)[]]>([
  ['refuses', [Response.json({ error: { code: 403 } }, { status: 403 })]],
  ['is down', [Response.json({}, { status: 503 })]],
  ['can’t be reached', [new TypeError('fetch failed'), new TypeError('fetch failed')]],
  ['answers in an invalid form', [{ users: 'none' }]],
])('an account lookup throws if the sign-in service %s', async (_, answers) => {
  serviceThatAnswers(...answers)
  await expect(local.findByPhone(PHONE)).rejects.toThrow()
})

test('finds an account with its address, number, sign-in methods and token validity', async () => {
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
          createdAt: '1780000000123',
          passwordUpdatedAt: 1_785_000_000_456,
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
    createdAt: 1_780_000_000_123,
    passwordSince: 1_785_000_000_456,
    validSince: 1_790_000_000_000,
    isDisabled: true,
    address: 'ada@example.com',
    verifiedAddress: 'ada@example.com',
    phone: PHONE,
    signInMethods: [
      { way: 'password', email: 'ada@example.com' },
      { way: 'phone' },
      { way: 'google.com', email: 'ada@example.com' },
    ],
  })
  expect(await local.find('nobody')).toBeNull()
  expect(await local.find('ada')).toEqual({
    createdAt: 0,
    passwordSince: null,
    validSince: 0,
    isDisabled: false,
    address: 'ada@example.com',
    verifiedAddress: null,
    phone: null,
    signInMethods: [],
  })
  expect(asked).toMatchObject([
    { body: { localId: ['ada'] } },
    { body: { localId: ['nobody'] } },
    { body: { localId: ['ada'] } },
  ])
})

test('removes methods and ends sessions in one call, or throws', async () => {
  const down = Response.json({}, { status: 503 })
  const asked = serviceThatAnswers({ localId: 'ada' }, down)
  await local.unlinkSignInMethods('ada', ['phone', 'google.com'], 1_790_000_000_999)
  await expect(local.unlinkSignInMethods('ada', ['phone'], 1_790_000_000_999)).rejects.toThrow('503')
  expect(asked[0]).toMatchObject({
    address: expect.stringMatching(/accounts:update$/),
    body: { localId: 'ada', deleteProvider: ['phone', 'google.com'], validSince: '1790000000' },
  })
})

test('removes an address with its methods and sessions, or throws', async () => {
  const asked = serviceThatAnswers({ localId: 'ada' }, Response.json({}, { status: 503 }))
  await local.removeAddress('ada', ['password'], 1_790_000_000_999)
  await expect(local.removeAddress('ada', ['password'], 1_790_000_000_999)).rejects.toThrow('503')
  expect(asked[0]).toMatchObject({
    address: expect.stringMatching(/accounts:update$/),
    body: {
      localId: 'ada',
      deleteAttribute: ['EMAIL'],
      deleteProvider: ['password'],
      validSince: '1790000000',
    },
  })
})

test('requests a verification mail with the account’s token, or throws', async () => {
  const asked = serviceThatAnswers({ email: 'ada@example.com' }, Response.json({}, { status: 400 }))
  await local.mailLink('token', 'https://example.com/?proof=1', 'en')
  await expect(local.mailLink('token', 'https://example.com/', 'en')).rejects.toThrow('400')
  expect(asked[0]).toMatchObject({
    address: expect.stringMatching(/accounts:sendOobCode$/),
    body: { requestType: 'VERIFY_EMAIL', idToken: 'token', continueUrl: 'https://example.com/?proof=1' },
  })
})

test('ends an account’s sessions at a whole second, or throws', async () => {
  const down = Response.json({}, { status: 503 })
  const asked = serviceThatAnswers({ localId: 'ada' }, down)
  await local.endSessions('ada', 1_790_000_000_999)
  await expect(local.endSessions('ada', 1_790_000_000_999)).rejects.toThrow('503')
  expect(asked[0]).toMatchObject({
    address: expect.stringMatching(/accounts:update$/),
    body: { localId: 'ada', validSince: '1790000000' },
  })
})

test('deleting throws after any error except a missing account', async () => {
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
