import { afterEach, expect, test, vi } from 'vitest'
import { createIdentityDocumentsClient } from './identityDocuments.ts'

const cert = vi.hoisted(() => vi.fn())
vi.mock('firebase-admin/app', () => ({ cert }))

const hosted = {
  projectId: 'passerelle',
  serviceAccount: { client_email: 'functions@passerelle.iam.gserviceaccount.com', private_key: 'key' },
  storageBucket: 'passerelle.firebasestorage.app',
  storageHost: null,
}
const local = createIdentityDocumentsClient({ ...hosted, storageHost: 'localhost:9199' })

function storageThatAnswers(...answers: Response[]) {
  const asked: string[] = []
  vi.stubGlobal('fetch', async (address: string, { method, headers }: RequestInit) => {
    asked.push(`${method} ${address} ${new Headers(headers).get('authorization')}`)
    return answers.shift()
  })
  return asked
}

const page = (...names: string[]) =>
  Response.json({ items: names.map((name) => ({ name, generation: '1' })) })
const gone = () => new Response(null, { status: 204 })

afterEach(() => vi.unstubAllGlobals())

test('deletes identity documents page by page until none is left', async () => {
  cert.mockReturnValue({ getAccessToken: async () => ({ access_token: 'token', expires_in: 3600 }) })
  const asked = storageThatAnswers(
    page('identity/ada/1', 'identity/ada/2'),
    gone(),
    gone(),
    Response.json({}),
  )
  await createIdentityDocumentsClient(hosted).removeAll('ada')
  const objects = 'https://storage.googleapis.com/storage/v1/b/passerelle.firebasestorage.app/o'
  const list = `GET ${objects}?prefix=identity%2Fada%2F&maxResults=20 Bearer token`
  expect(asked).toEqual([
    list,
    `DELETE ${objects}/identity%2Fada%2F1 Bearer token`,
    `DELETE ${objects}/identity%2Fada%2F2 Bearer token`,
    list,
  ])
})

test('an emulator’s documents are deleted as administrator, missing ones ignored', async () => {
  const asked = storageThatAnswers(
    page('identity/ada/1'),
    new Response(null, { status: 404 }),
    Response.json({}),
  )
  await local.removeAll('ada')
  expect(asked[0]).toMatch(/^GET http:\/\/localhost:9199\/storage\/v1\/b\/.+ Bearer owner$/)
})

test('sealing revokes download tokens, and throws if storage fails', async () => {
  const bodies: unknown[] = []
  const asked = storageThatAnswers(page('identity/ada/1'), Response.json({}))
  const { fetch } = globalThis
  vi.stubGlobal('fetch', (address: string, init: RequestInit) => {
    bodies.push(init.body)
    return fetch(address, init)
  })
  await local.sealAll('ada')
  expect(asked[0]).toMatch(/o\?prefix=identity%2Fada%2F&maxResults=1000 /)
  expect(asked[1]).toMatch(/^PATCH .+\/identity%2Fada%2F1 Bearer owner$/)
  expect(bodies[1]).toBe('{"metadata":{"firebaseStorageDownloadTokens":null}}')
  storageThatAnswers(page('identity/ada/1'), Response.json({}, { status: 503 }))
  await expect(local.sealAll('ada')).rejects.toThrow('The storage answered 503')
})

test('reads an identity document, and returns null if there is none', async () => {
  const asked = storageThatAnswers(new Response('a scan'), new Response(null, { status: 404 }))
  expect(await local.read('identity/ada/1')).toEqual(new TextEncoder().encode('a scan'))
  expect(asked[0]).toMatch(/^GET .+\/o\/identity%2Fada%2F1\?alt=media Bearer owner$/)
  expect(await local.read('identity/ada/1')).toBe(null)
  storageThatAnswers(new Response(null, { status: 503 }))
  await expect(local.read('identity/ada/1')).rejects.toThrow('The storage answered 503')
})

test.each([
  ['list', [Response.json({}, { status: 403 })]],
  ['delete', [page('identity/ada/1'), Response.json({}, { status: 503 })]],
])('deleting identity documents throws if the storage fails to %s them', async (_, answers) => {
  storageThatAnswers(...answers)
  await expect(local.removeAll('ada')).rejects.toThrow('The storage answered')
})
