import { randomUUID } from 'node:crypto'
import { deleteApp, type FirebaseApp, FirebaseError, initializeApp } from 'firebase/app'
import { connectStorageEmulator, type FirebaseStorage, getStorage, type UploadTask } from 'firebase/storage'
import { Hono } from 'hono'
import type { IdentifyCaller } from '../emulator.ts'
import { createFaults } from '../faults.ts'
import { compileRules } from '../rules/rules.ts'
import { serve } from '../serve.ts'
import { createStorageEmulator } from '../storage/storage.ts'
import type { WireFields } from '../wire.ts'

export const BUCKET = 'demo-test.firebasestorage.app'

/** Recognizes the SDK's unsigned tokens, and 'owner' as the administrator. */
const identify: IdentifyCaller = async (authorization) => {
  if (authorization === undefined) return { kind: 'nobody' }
  if (authorization === 'Bearer owner') return { kind: 'admin' }
  const claims = authorization.split('.')[1]
  if (!claims) return { kind: 'invalid', reason: 'not a token' }
  const token = JSON.parse(Buffer.from(claims, 'base64url').toString())
  return { kind: 'user', uid: token.sub, token }
}

const RULES = `rules_version = '2';
service firebase.storage {
  match /b/{bucket}/o {
    match /open/{name} { allow read, write: if true; }
    match /open/{folder}/{name} { allow read, write: if true; }
    match /small/{name} {
      allow get: if true;
      allow create: if request.resource.size <= 300000 && request.resource.contentType == 'image/png';
    }
    match /own/{uid}/{name} {
      allow read, write: if request.auth.uid == uid && firestore.exists(/databases/(default)/documents/people/$(uid));
    }
  }
}`

export async function serveStorage() {
  const time = { now: Date.UTC(2026, 10, 20, 12) }
  const unknownCalls: string[] = []
  const documents = new Map<string, WireFields>()
  const apps: FirebaseApp[] = []
  const faults = createFaults()
  const emulator = createStorageEmulator({
    clock: { now: () => time.now },
    identify,
    rules: compileRules(RULES, 'firebase.storage'),
    documentFields: (path) => documents.get(path) ?? null,
    reportUnknown: (service, what) => unknownCalls.push(`${service}: ${what}`),
  })
  const requests: string[] = []
  const app = new Hono()
  app.use((c, next) => {
    requests.push([c.req.method, c.req.header('x-goog-upload-command')].join(' ').trim())
    return next()
  })
  app.use(faults.middleware)
  app.route('/', emulator.app)
  const served = await serve(app.fetch)

  return {
    emulator,
    time,
    documents,
    faults,
    unknownCalls,
    requests,
    origin: served.origin,
    client(uid?: string): FirebaseStorage {
      const made = initializeApp({ projectId: 'demo-test', storageBucket: BUCKET }, randomUUID())
      apps.push(made)
      const storage = getStorage(made)
      const options = uid === undefined ? {} : { mockUserToken: { sub: uid } }
      connectStorageEmulator(storage, '127.0.0.1', Number(new URL(served.origin).port), options)
      return storage
    },
    async stop() {
      await Promise.all(apps.splice(0).map(deleteApp))
      await served.close()
    },
  }
}

export async function getErrorCode(work: Promise<unknown> | UploadTask) {
  try {
    await work
    return 'no error'
  } catch (error) {
    return error instanceof FirebaseError ? error.code : error
  }
}
