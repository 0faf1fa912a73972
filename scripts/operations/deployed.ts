import { z } from 'zod'
import { asAdministrator } from '../../netlify/server/platform/google.ts'
import type { Settings } from '../../netlify/server/platform/settings.ts'

/** An index as the project's list and firestore.indexes.json both have it, in one way of writing. */
export interface Index {
  /** The collection and its fields: 'transactions: senderId ascending, createdAt descending'. */
  readonly name: string
  readonly isReady: boolean
}

/** What somebody chose for the sign-in. */
export interface SignIn {
  /** Whether the service keeps from everybody whether an address has an account. */
  readonly protectsAddresses: boolean
  readonly byEmail: boolean
  readonly byPhone: boolean
  /** The hosts of the pages that may ask. */
  readonly domains: readonly string[]
  /** Whether text messages may go to the country, by its two letters. Null where nobody chose: projects of different ages differ then. */
  readonly mayMessage: ((country: string) => boolean) | null
}

/** What was deployed to a Firebase project, as its administrator sees it. */
export interface DeployedFirebase {
  /** The source of the rules in force: of 'cloud.firestore' or 'firebase.storage/{bucket}'. Null when there are none. */
  rules(service: string): Promise<string | null>
  indexes(): Promise<readonly Index[]>
  signIn(): Promise<SignIn>
  /** Where the database is, as the service calls it: 'eur3', 'europe-west9'. */
  location(): Promise<string>
}

/** The project refuses a question, or there is nobody who could answer it. */
export class NotAnswered extends Error {
  readonly status: number

  constructor(service: string, status: number) {
    super(`${service} answered ${status}`)
    this.status = status
  }
}

const release = z.object({ rulesetName: z.string() })
const ruleset = z.object({ source: z.object({ files: z.array(z.object({ content: z.string() })) }) })
const fields = z.array(
  z.object({ fieldPath: z.string(), order: z.string().optional(), arrayConfig: z.string().optional() }),
)
const listed = z.object({
  indexes: z
    .array(z.object({ name: z.string(), fields, state: z.string(), queryScope: z.string() }))
    .default([]),
  nextPageToken: z.string().optional(),
})
const way = z.object({ enabled: z.boolean().default(false) }).prefault({})
const regions = z.array(z.string()).default([])
const config = z.object({
  emailPrivacyConfig: z.object({ enableImprovedEmailPrivacy: z.boolean().default(false) }).prefault({}),
  authorizedDomains: z.array(z.string()).default([]),
  signIn: z.object({ email: way, phoneNumber: way }).prefault({}),
  smsRegionConfig: z
    .object({
      allowByDefault: z.object({ disallowedRegions: regions }).optional(),
      allowlistOnly: z.object({ allowedRegions: regions }).optional(),
    })
    .prefault({}),
})
const database = z.object({ locationId: z.string() })
const file = z.object({ indexes: z.array(z.object({ collectionGroup: z.string(), fields })) })

/**
 * Asks the REST APIs of Firebase Rules and Firestore's administration, as the official command line does, and that of
 * Identity Toolkit. With `firestoreHost` the first two are asked there; the official emulators know neither. With
 * `authHost` the third is asked there.
 *
 * Each call throws NotAnswered when the project refuses, and what `fetch` throws when there is no answer.
 */
export function deployedFirebase(
  settings: Pick<Settings, 'projectId' | 'serviceAccount' | 'firestoreHost' | 'authHost'>,
): DeployedFirebase {
  const { projectId, firestoreHost, authHost } = settings
  const ask = asAdministrator(settings, firestoreHost !== null)
  const service = (host: string) => (firestoreHost ? `http://${firestoreHost}` : `https://${host}`)
  const ofRules = firestoreHost
    ? `http://${firestoreHost}/firebaserules.googleapis.com/v1`
    : 'https://firebaserules.googleapis.com/v1'
  const project = `projects/${projectId}`
  const ofDatabase = `${service('firestore.googleapis.com')}/v1/${project}/databases/(default)`

  const get = async (address: string): Promise<unknown> => {
    const response = await ask('GET', address)
    if (!response.ok) throw new NotAnswered(new URL(address).host, response.status)
    return response.json()
  }
  const noneWhenMissing = (error: unknown) => {
    if (error instanceof NotAnswered && error.status === 404) return null
    throw error
  }

  return {
    async rules(of) {
      const released = await get(`${ofRules}/${project}/releases/${of}`).catch(noneWhenMissing)
      if (released === null) return null
      const { source } = ruleset.parse(await get(`${ofRules}/${release.parse(released).rulesetName}`))
      return source.files.map(({ content }) => content).join('\n')
    },
    async signIn() {
      const root = authHost
        ? `http://${authHost}/identitytoolkit.googleapis.com`
        : 'https://identitytoolkit.googleapis.com'
      const found = config.parse(await get(`${root}/v2/${project}/config`))
      const { allowlistOnly, allowByDefault } = found.smsRegionConfig
      return {
        protectsAddresses: found.emailPrivacyConfig.enableImprovedEmailPrivacy,
        byEmail: found.signIn.email.enabled,
        byPhone: found.signIn.phoneNumber.enabled,
        domains: found.authorizedDomains,
        mayMessage: allowlistOnly
          ? (country) => allowlistOnly.allowedRegions.includes(country)
          : allowByDefault
            ? (country) => !allowByDefault.disallowedRegions.includes(country)
            : null,
      }
    },
    async location() {
      return database.parse(await get(ofDatabase)).locationId
    },
    async indexes() {
      const all = `${ofDatabase}/collectionGroups/-/indexes`
      const found: Index[] = []
      let page: z.infer<typeof listed> | undefined
      do {
        const token = page?.nextPageToken
        page = listed.parse(await get(token ? `${all}?${new URLSearchParams({ pageToken: token })}` : all))
        for (const { name, fields: of, state } of page.indexes) {
          const collection = /\/collectionGroups\/([^/]+)\//.exec(name)?.[1] ?? ''
          found.push({ name: nameOf(collection, of), isReady: state === 'READY' })
        }
      } while (page.nextPageToken)
      return found
    },
  }
}

/** The names of the indexes that firestore.indexes.json asks for. */
export function wantedIndexes(text: string): readonly string[] {
  return file
    .parse(JSON.parse(text))
    .indexes.map(({ collectionGroup, fields: of }) => nameOf(collectionGroup, of))
}

/** The service adds the document's name to the fields of the file. */
function nameOf(collection: string, of: z.infer<typeof fields>): string {
  const written = of
    .filter(({ fieldPath }) => fieldPath !== '__name__')
    .map(({ fieldPath, order, arrayConfig }) => `${fieldPath} ${(order ?? arrayConfig ?? '').toLowerCase()}`)
  return `${collection}: ${written.join(', ')}`
}
