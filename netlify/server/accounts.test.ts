import { afterEach, expect, test, vi } from 'vitest'
import { phoneAccounts } from './accounts.ts'

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
  expect(await phoneAccounts(hosted)(PHONE)).toBe(true)
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

const local = phoneAccounts({ ...hosted, authHost: 'localhost:9099' })

test('an emulator is asked as its administrator, without a key', async () => {
  const asked = serviceThatAnswers({ kind: 'identitytoolkit#GetAccountInfoResponse' })
  expect(await local(PHONE)).toBe(false)
  expect(cert).not.toHaveBeenCalled()
  expect(asked).toMatchObject([
    {
      address: 'http://localhost:9099/identitytoolkit.googleapis.com/v1/projects/passerelle/accounts:lookup',
      headers: { authorization: 'Bearer owner' },
    },
  ])
})

test('a connection that died is tried once more', async () => {
  const asked = serviceThatAnswers(new TypeError('fetch failed'), { users: [{}] })
  expect(await local(PHONE)).toBe(true)
  expect(asked).toHaveLength(2)
})

test.each<[string, (object | Error)[]]>([
  ['refuses', [Response.json({ error: { code: 403 } }, { status: 403 })]],
  ['is down', [Response.json({}, { status: 503 })]],
  ['can not be reached', [new TypeError('fetch failed'), new TypeError('fetch failed')]],
  ['answers what it never should', [{ users: 'none' }]],
])('a service that %s has not said that there is no account', async (_, answers) => {
  serviceThatAnswers(...answers)
  await expect(local(PHONE)).rejects.toThrow()
})
