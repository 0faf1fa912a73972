import { readFileSync } from 'node:fs'
import type { Settings } from '../../../netlify/server/platform/settings.ts'
import {
  buildBadFinding,
  buildGoodFinding,
  type DoctorCheck,
  type DoctorSubject,
  reportFindings,
} from './findings.ts'
import { fetchResource, findResource } from './firebaseApi.ts'

export const firebaseChecks: readonly DoctorCheck[] = [
  ['The rules of the database', ({ settings }) => checkRules(settings, 'cloud.firestore', 'firestore')],
  ['The indexes of the database', checkIndexes],
  [
    'The rules of the storage',
    ({ settings }) => checkRules(settings, `firebase.storage/${settings.storageBucket}`, 'storage'),
  ],
]

const readProjectFile = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8')

async function* checkRules(settings: Settings, service: string, name: 'firestore' | 'storage') {
  const file = `firebase/${name}.rules`
  const remedy = `Run 'npx firebase-tools deploy --only ${name}' from this commit, or check out the deployed commit.`
  const inForce = await fetchRules(settings, service)
  if (inForce === null) yield buildBadFinding(`No rules are in force for ${service}.`, remedy)
  else if (inForce === readProjectFile(file))
    yield buildGoodFinding(`The rules in force for ${service} are ${file}.`)
  else yield buildBadFinding(`The rules in force for ${service} are not ${file}.`, remedy)
}

async function fetchRules(settings: Settings, service: string): Promise<string | null> {
  const release = await findResource<{ rulesetName: string }>(
    settings,
    'rules',
    `projects/${settings.projectId}/releases/${service}`,
  )
  if (!release) return null
  const { source } = await fetchResource<{ source: { files: { content: string }[] } }>(
    settings,
    'rules',
    release.rulesetName,
  )
  return source.files.map(({ content }) => content).join('\n')
}

interface Field {
  readonly fieldPath: string
  readonly order?: string
  readonly arrayConfig?: string
}

interface IndexPage {
  readonly indexes?: readonly {
    readonly name: string
    readonly fields: readonly Field[]
    readonly state: string
  }[]
  readonly nextPageToken?: string
}

async function fetchIndexes(settings: Settings): Promise<ReadonlyMap<string, string>> {
  const states = new Map<string, string>()
  let token: string | undefined
  do {
    const query = token ? `?${new URLSearchParams({ pageToken: token })}` : ''
    const page: IndexPage = await fetchResource(
      settings,
      'firestore',
      `projects/${settings.projectId}/databases/(default)/collectionGroups/-/indexes${query}`,
    )
    for (const { name, fields, state } of page.indexes ?? [])
      states.set(describeIndex(/\/collectionGroups\/([^/]+)\//.exec(name)?.[1] ?? '', fields), state)
    token = page.nextPageToken
  } while (token)
  return states
}

/** Returns 'transactions: senderId ascending', without `__name__`, which the service adds. */
const describeIndex = (collection: string, fields: readonly Field[]): string =>
  `${collection}: ${fields
    .filter(({ fieldPath }) => fieldPath !== '__name__')
    .map(({ fieldPath, order, arrayConfig }) => `${fieldPath} ${(order ?? arrayConfig ?? '').toLowerCase()}`)
    .join(', ')}`

async function* checkIndexes({ settings }: DoctorSubject) {
  const file: { indexes: { collectionGroup: string; fields: Field[] }[] } = JSON.parse(
    readProjectFile('firebase/firestore.indexes.json'),
  )
  const states = await fetchIndexes(settings)
  const remedy = "Run 'npx firebase-tools deploy --only firestore:indexes' and wait until they are built."
  const problems = file.indexes.map(({ collectionGroup, fields }) => {
    const index = describeIndex(collectionGroup, fields)
    const state = states.get(index)
    if (!state) return buildBadFinding(`The database has no index for ${index}.`, remedy)
    return state === 'READY' ? null : buildBadFinding(`The index for ${index} is not ready.`, remedy)
  })
  yield* reportFindings(problems, `All ${file.indexes.length} indexes of the database are ready.`)
}
