import { createHash } from 'node:crypto'
import {
  deleteObject,
  getBytes,
  getDownloadURL,
  getMetadata,
  ref,
  uploadBytes,
  uploadBytesResumable,
} from 'firebase/storage'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { BUCKET, getErrorCode, serveStorage } from '../testing/storage.ts'

let served: Awaited<ReturnType<typeof serveStorage>>

beforeEach(async () => {
  served = await serveStorage()
})

afterEach(async () => {
  await served.stop()
})

const KIB = 1024
const png = (size: number) => new Uint8Array(size).map((_, index) => index % 251)
const PNG = { contentType: 'image/png' }
const names = () => served.emulator.objects().map(({ name }) => name)

describe('an upload in one request', () => {
  test('stores an upload in one request byte for byte @spec-stored-object', async () => {
    const content = new TextEncoder().encode('one\r\n--two--\r\n\r\nthree')
    const place = ref(served.client(), 'open/a file é.png')
    const { metadata } = await uploadBytes(place, content, PNG)
    expect(metadata).toMatchObject({
      bucket: BUCKET,
      fullPath: 'open/a file é.png',
      name: 'a file é.png',
      size: content.length,
      contentType: 'image/png',
      timeCreated: '2026-11-20T12:00:00.000Z',
      updated: '2026-11-20T12:00:00.000Z',
      generation: expect.stringMatching(/^\d+$/),
      md5Hash: createHash('md5').update(content).digest('base64'),
    })
    expect(new Uint8Array(await getBytes(place))).toEqual(content)
    expect(await getMetadata(place)).toEqual(metadata)
  })

  test('an upload without a content type gets the default content type', async () => {
    const { metadata } = await uploadBytes(ref(served.client(), 'open/x'), png(3))
    expect(metadata.contentType).toBe('application/octet-stream')
  })
})

describe('a resumable upload', () => {
  test('a resumable upload arrives chunk by chunk, and reports its progress @spec-upload-pieces', async () => {
    const content = png(1000 * KIB)
    const place = ref(served.client(), 'open/large.png')
    const task = uploadBytesResumable(place, content, PNG)
    const transferred: number[] = []
    task.on('state_changed', ({ bytesTransferred }) => transferred.push(bytesTransferred))
    const { metadata } = await task
    expect(metadata).toMatchObject({ size: content.length, contentType: 'image/png' })
    expect(new Uint8Array(await getBytes(place))).toEqual(content)
    expect(transferred.filter((bytes, index) => bytes !== transferred[index - 1])).toEqual([
      0,
      256 * KIB,
      768 * KIB,
      1000 * KIB,
    ])
    expect(served.requests).toEqual([
      'POST start',
      'POST upload',
      'POST upload',
      'POST upload, finalize',
      'GET',
    ])
  })

  test('a canceled upload stores nothing', async () => {
    const task = uploadBytesResumable(ref(served.client(), 'open/large.png'), png(1000 * KIB), PNG)
    task.on('state_changed', ({ bytesTransferred }) => {
      if (bytesTransferred > 0) task.cancel()
    })
    expect(await getErrorCode(task)).toBe('storage/canceled')
    expect(names()).toEqual([])
  })

  test.each([
    ['a wrong offset', 'upload', '1', 256 * KIB],
    ['a size that is not a multiple of 256 KiB', 'upload', '0', 1000],
  ])('a resumable upload refuses a chunk with %s', async (_, command, offset, size) => {
    const query = `${served.origin}/v0/b/${BUCKET}/o?name=open%2Fx`
    const begun = await fetch(query, { method: 'POST', headers: { 'x-goog-upload-command': 'start' } })
    const answer = await fetch(begun.headers.get('x-goog-upload-url') ?? '', {
      method: 'POST',
      headers: { 'x-goog-upload-command': command, 'x-goog-upload-offset': offset },
      body: png(size),
    })
    expect(answer.status).toBe(400)
  })
})

describe('an interrupted upload', () => {
  test.each([500, 503, 408, 429])(
    'the SDK continues an upload after the status %i @spec-upload-retries',
    async (status) => {
      served.faults.add({ on: 'POST /v0/', after: 1, times: 1, what: { kind: 'status', status } })
      await uploadBytesResumable(ref(served.client(), 'open/large.png'), png(300 * KIB), PNG)
      expect(names()).toEqual(['open/large.png'])
      expect(served.requests).toContain('POST query')
    },
  )

  test('the SDK sends a chunk again after the connection broke', async () => {
    const content = png(1000 * KIB)
    served.faults.add({ on: 'POST /v0/', after: 2, times: 1, what: { kind: 'cutDuring', share: 0.5 } })
    await uploadBytesResumable(ref(served.client(), 'open/large.png'), content, PNG)
    expect(served.emulator.objects()[0]?.content.equals(content)).toBe(true)
  })

  test('a lost last response leaves the object stored', async () => {
    served.faults.add({ on: 'POST /v0/', after: 2, times: 1, what: { kind: 'cutAfter' } })
    const task = uploadBytesResumable(ref(served.client(), 'open/a'), png(600 * KIB), PNG)
    expect(await getErrorCode(task)).toBe('storage/unknown')
    expect(served.emulator.objects()[0]?.content.length).toBe(600 * KIB)
  })
})

describe('storage rules', () => {
  test('rules refuse an upload by its announced size and type', async () => {
    const upload = (name: string, size: number, contentType: string) =>
      getErrorCode(uploadBytesResumable(ref(served.client(), `small/${name}`), png(size), { contentType }))
    expect(await upload('a', 300_000, 'image/png')).toBe('no error')
    expect(await upload('b', 300_001, 'image/png')).toBe('storage/unauthorized')
    expect(await upload('c', 300_000, 'image/gif')).toBe('storage/unauthorized')
    expect(await upload('d', 10, 'image/gif')).toBe('storage/unauthorized')
    // The object exists now, so this upload is an update, which the rules refuse.
    expect(await upload('a', 10, 'image/png')).toBe('storage/unauthorized')
    expect(names()).toEqual(['small/a'])
    expect(served.requests.filter((request) => request === 'POST upload, finalize')).toHaveLength(1)
  })

  test('rules check the received size, not the announced one', async () => {
    const begun = await fetch(`${served.origin}/v0/b/${BUCKET}/o?name=small%2Fx`, {
      method: 'POST',
      headers: {
        'x-goog-upload-command': 'start',
        'x-goog-upload-header-content-length': '10',
        'x-goog-upload-header-content-type': 'image/png',
      },
    })
    const answer = await fetch(begun.headers.get('x-goog-upload-url') ?? '', {
      method: 'POST',
      headers: { 'x-goog-upload-command': 'upload, finalize', 'x-goog-upload-offset': '0' },
      body: png(300_001),
    })
    expect(answer.status).toBe(403)
    expect(names()).toEqual([])
  })

  test("storage rules read the user's token and Firestore documents", async () => {
    const upload = (uid: string | undefined) =>
      getErrorCode(uploadBytes(ref(served.client(uid), 'own/ada/x'), png(1), PNG))
    expect(await upload('ada')).toBe('storage/unauthorized')
    served.documents.set('people/ada', {})
    expect([await upload('bea'), await upload(undefined), await upload('ada')]).toEqual([
      'storage/unauthorized',
      'storage/unauthorized',
      'no error',
    ])
  })

  test('storage rules do not apply to an administrator', async () => {
    const address = `${served.origin}/v0/b/${BUCKET}/o/own%2Fada%2Fx`
    expect((await fetch(address)).status).toBe(403)
    expect((await fetch(address, { headers: { authorization: 'Bearer owner' } })).status).toBe(404)
    expect((await fetch(address, { headers: { authorization: 'Firebase x' } })).status).toBe(401)
  })
})

describe('a stored object', () => {
  test('an object can be downloaded by the URL that contains its token', async () => {
    served.documents.set('people/ada', {})
    const place = ref(served.client('ada'), 'own/ada/x y.png')
    await uploadBytes(place, png(20), PNG)
    const address = await getDownloadURL(place)
    expect(address).toMatch(
      new RegExp(`^${served.origin}/v0/b/${BUCKET}/o/own%2Fada%2Fx%20y.png\\?alt=media&token=[0-9a-f-]{36}$`),
    )
    const answer = await fetch(address)
    expect(new Uint8Array(await answer.arrayBuffer())).toEqual(png(20))
    expect(answer.headers.get('content-type')).toBe('image/png')
    expect((await fetch(address.replace(/token=.*/, 'token=guessed'))).status).toBe(403)
  })

  test('an object can be deleted once', async () => {
    const place = ref(served.client(), 'open/x')
    await uploadBytes(place, png(1), PNG)
    await deleteObject(place)
    expect(await getErrorCode(deleteObject(place))).toBe('storage/object-not-found')
    expect(await getErrorCode(getDownloadURL(place))).toBe('storage/object-not-found')
  })

  test('loading a dump restores an object with its content', async () => {
    const place = ref(served.client(), 'open/x')
    const { metadata } = await uploadBytes(place, png(10), PNG)
    const dump = JSON.parse(JSON.stringify(served.emulator.dump()))
    served.emulator.reset()
    expect(names()).toEqual([])
    served.emulator.load(dump)
    expect(await getMetadata(place)).toEqual(metadata)
    expect(new Uint8Array(await getBytes(place))).toEqual(png(10))
  })
})

test('the storage emulator reports an unsupported call', async () => {
  const answer = await fetch(`${served.origin}/v0/b/${BUCKET}/o?prefix=open%2F`)
  expect(answer.status).toBe(501)
  expect(served.unknownCalls).toEqual([`storage: GET /v0/b/${BUCKET}/o: this method`])
})

describe('the JSON API of Cloud Storage', () => {
  const ask = async (method: string, path: string, authorization = 'Bearer owner') => {
    const address = `${served.origin}/storage/v1/b/${BUCKET}/o${path}`
    const response = await fetch(address, { method, headers: { authorization } })
    return { status: response.status, body: response.status === 204 ? null : await response.json() }
  }
  const listNames = async (query: string) =>
    (await ask('GET', query)).body.items?.map(({ name }: { name: string }) => name)

  test('an administrator lists objects by prefix, and deletes them', async () => {
    for (const name of ['open/a/1', 'open/a/2', 'open/b/1'])
      await uploadBytes(ref(served.client(), name), png(3), PNG)
    expect(await listNames('?prefix=open%2Fa%2F')).toEqual(['open/a/1', 'open/a/2'])
    expect(await listNames('?prefix=open%2Fa%2F&maxResults=1')).toEqual(['open/a/1'])
    expect(await ask('DELETE', '/open%2Fa%2F1')).toMatchObject({ status: 204 })
    expect(await ask('DELETE', '/open%2Fa%2F1')).toMatchObject({ status: 404 })
    expect(names()).toEqual(['open/a/2', 'open/b/1'])
    expect(await ask('GET', '?prefix=none')).toEqual({ status: 200, body: { kind: 'storage#objects' } })
  })

  test('an administrator reads the content of an object', async () => {
    await uploadBytes(ref(served.client(), 'open/a'), png(3), PNG)
    const read = (name: string, authorization: string) =>
      fetch(`${served.origin}/storage/v1/b/${BUCKET}/o/open%2F${name}?alt=media`, {
        headers: { authorization },
      })
    const answer = await read('a', 'Bearer owner')
    expect(new Uint8Array(await answer.arrayBuffer())).toEqual(png(3))
    expect((await read('b', 'Bearer owner')).status).toBe(404)
  })

  test('the JSON API of Cloud Storage rejects users, and reports unsupported calls', async () => {
    const user = `Bearer x.${Buffer.from('{"sub":"awa"}').toString('base64url')}.x`
    expect(await ask('GET', '?prefix=open', user)).toMatchObject({ status: 403 })
    expect(await ask('DELETE', '/open%2Fa', user)).toMatchObject({ status: 403 })
    expect(await ask('GET', '?delimiter=x')).toMatchObject({ status: 501 })
    expect(await ask('POST', '')).toMatchObject({ status: 501 })
    expect(served.unknownCalls).toHaveLength(2)
  })
})
