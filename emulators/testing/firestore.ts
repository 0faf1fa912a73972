import { generateKeyPairSync } from 'node:crypto'
import type { IdentifyCaller, ReportUnknown } from '../emulator.ts'
import {
  createAdminIdentifier,
  createFirestoreEmulator,
  type FirestoreOptions,
} from '../firestore/firestore.ts'
import { compileRules } from '../rules/rules.ts'
import { serve } from '../serve.ts'
import type { WireFields } from '../wire.ts'

export const PROJECT_ID = 'demo-test'
export const DOCUMENTS_ROOT = `projects/${PROJECT_ID}/databases/(default)/documents`

const { publicKey, privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
})

export const SERVICE_ACCOUNT = {
  projectId: PROJECT_ID,
  clientEmail: `tests@${PROJECT_ID}.iam.gserviceaccount.com`,
  privateKey,
}

const asAdmin = createAdminIdentifier(publicKey, SERVICE_ACCOUNT.clientEmail)

/** Recognizes 'Bearer user-<uid>', 'Bearer admin' and tokens of the service account. */
const identify: IdentifyCaller = async (authorization) => {
  if (authorization === 'Bearer admin') return { kind: 'admin' }
  const [, uid] = /^Bearer user-(.*)$/.exec(authorization ?? '') ?? []
  return uid ? { kind: 'user', uid, token: { sub: uid } } : asAdmin(authorization)
}

const RULES = `rules_version = '2';
service cloud.firestore {
  match /databases/{database}/documents {
    match /open/{id} { allow read, write: if true; }
    match /notes/{id} {
      allow read: if request.auth != null && resource.data.owner == request.auth.uid;
      allow create: if request.auth != null && request.resource.data.owner == request.auth.uid
        && request.resource.data.at == request.time;
      allow update: if request.auth != null && resource.data.owner == request.auth.uid
        && request.resource.data.diff(resource.data).affectedKeys().hasOnly(['text']);
    }
    match /pairs/{id} {
      allow write: if exists(/databases/$(database)/documents/pairs/sum);
    }
  }
}`

/** Only the test moves the clock. The rules open the collection 'open' to all. */
export function createTestFirestore(options: Partial<FirestoreOptions> = {}) {
  const time = { now: Date.UTC(2026, 0, 31, 12) }
  const unknown: string[] = []
  const reportUnknown: ReportUnknown = (service, what) => unknown.push(`${service}: ${what}`)
  const firestore = createFirestoreEmulator({
    projectId: PROJECT_ID,
    clock: { now: () => time.now },
    identify,
    rules: compileRules(RULES, 'cloud.firestore'),
    indexes: { indexes: [] },
    location: 'eur3',
    reportUnknown,
    ...options,
  })

  const call = async (method: string, path: string, body?: unknown, authorization = 'Bearer admin') => {
    const response = await firestore.app.request(`http://localhost/v1/${path}`, {
      method,
      headers: authorization ? { authorization } : {},
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return { status: response.status, body: await response.json() }
  }
  const post = (verb: string, body: unknown, authorization?: string) =>
    call('POST', `${DOCUMENTS_ROOT}:${verb}`, body, authorization)
  const commit = (writes: readonly object[], authorization?: string) =>
    post('commit', { writes }, authorization)

  return { ...firestore, time, unknown, call, post, commit }
}

export const buildUpdate = (path: string, fields: WireFields, more: object = {}) => ({
  update: { name: `${DOCUMENTS_ROOT}/${path}`, fields },
  ...more,
})

export async function serveTestFirestore(options?: Partial<FirestoreOptions>) {
  const firestore = createTestFirestore(options)
  const served = await serve(firestore.app.fetch)
  return { ...firestore, ...served }
}
