import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import Stripe from 'stripe'
import { ACCOUNT_KEY } from '../src/browser/storedAccount.ts'

export type Server = ReturnType<typeof serverAt>

interface Hosts {
  projectId: string
  auth: string
  inbox: string
  messages: string
  stripeSecretKey: string
}

/** Whatever else is installed. */
const ONLY_START = new URL('../scripts/setup/onlyStart.ts', import.meta.url).href

export interface StartedServer {
  readonly server: Server
  /** What it has logged since this was asked last, one line for each answer. */
  takeLog(): string
  stop(): void
  /** Ends it from one moment to the next, as a power cut does. */
  crash(): Promise<void>
}

/**
 * Starts the product with its sandbox, with these settings beside those of this process: when they say nothing else, empty,
 * on a free port, and without keeping anything for a later one.
 */
export async function startServer(settings: Record<string, string> = {}): Promise<StartedServer> {
  const child = spawn('node_modules/.bin/node', [`--import=${ONLY_START}`, 'scripts/start/start.ts'], {
    env: { ...process.env, HOST: '', PORT: '0', SANDBOX_SNAPSHOT: '', DELIVERY_PROVIDERS: '', ...settings },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let logged = ''
  child.stdout.on('data', (chunk) => {
    logged += chunk
  })
  const origin = await readyLine(child, () => logged)
  const hosts = (await (await fetch(`${origin}/sandbox/hosts.json`)).json()) as Hosts
  return {
    server: serverAt(origin, hosts),
    takeLog() {
      const taken = logged
      logged = ''
      return taken
    },
    stop: () => void child.kill(),
    async crash() {
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
    },
  }
}

function readyLine(child: ChildProcess, logged: () => string): Promise<string> {
  return new Promise((resolve, reject) => {
    const look = () => {
      const origin = /ready on (http\S+)/.exec(logged())?.[1]
      if (!origin) return
      child.stdout?.off('data', look)
      resolve(origin)
    }
    child.stdout?.on('data', look)
    child.once('exit', () => reject(new Error(`The server did not start: ${logged()}`)))
  })
}

function serverAt(origin: string, { projectId, auth, inbox, messages, stripeSecretKey }: Hosts) {
  const { host, hostname, port } = new URL(origin)
  const hasAuthEmulator = auth !== host
  const stripe = new Stripe(stripeSecretKey, { host: hostname, port, protocol: 'http', maxNetworkRetries: 0 })

  const send = async <Answer>(
    method: string,
    address: string,
    body?: object,
    headers = {},
  ): Promise<Answer> => {
    const response = await fetch(address, {
      method,
      headers: { 'content-type': 'application/json', ...headers },
      ...(body && { body: JSON.stringify(body) }),
    })
    if (!response.ok)
      throw new Error(`${method} ${address}: ${response.status} ${(await response.text()).slice(0, 500)}`)
    return (await response.json()) as Answer
  }
  const asAdmin = <Answer>(method: string, path: string, body?: object) =>
    send<Answer>(
      method,
      `${origin}/v1/projects/${projectId}/databases/(default)/documents${path}`,
      body,
      ADMINISTRATOR,
    )
  /** As somebody's browser: for an administrator the official emulator makes accounts without a session. */
  const askAuth = <Answer>(operation: string, body: object) =>
    send<Answer>(
      'POST',
      `http://${auth}/identitytoolkit.googleapis.com/v1/accounts:${operation}?key=${API_KEY}`,
      body,
    )

  const protectAddresses = async (enableImprovedEmailPrivacy: boolean) => {
    await send(
      'PATCH',
      `http://${auth}/identitytoolkit.googleapis.com/v2/projects/${projectId}/config?updateMask=emailPrivacyConfig`,
      { emailPrivacyConfig: { enableImprovedEmailPrivacy } },
      ADMINISTRATOR,
    )
  }

  const query = async (collection: string, field: string, value: string): Promise<Row[]> => {
    const rows = await asAdmin<{ document?: Row }[]>('POST', ':runQuery', {
      structuredQuery: {
        from: [{ collectionId: collection }],
        where: { fieldFilter: { field: { fieldPath: field }, op: 'EQUAL', value: { stringValue: value } } },
      },
    })
    return rows.flatMap(({ document }) => document ?? [])
  }
  const documents = async (collection: string, field: string, value: string) =>
    (await query(collection, field, value)).map((row) => plain({ mapValue: row }) as Record<string, unknown>)
  const write = async (path: string, data: Record<string, unknown>) => {
    await asAdmin('PATCH', `/${path}`, { fields: wireFields(data) })
  }
  const remove = async (path: string) => {
    await asAdmin('DELETE', `/${path}`)
  }
  const tell = async (path: string, body: object) => {
    await fetch(`${origin}/sandbox/${path}`, { method: 'POST', body: JSON.stringify(body) })
  }
  const uidOf = async (email: string) => {
    const [user] = await query('users', 'email', email)
    const uid = user?.name.split('/').at(-1)
    if (!uid) throw new Error(`Nobody has the address ${email}`)
    return uid
  }
  const mailLink = async (to: string) => {
    const { oobCodes } = (await (await fetch(inbox)).json()) as {
      oobCodes: { email: string; oobLink: string }[]
    }
    const link = oobCodes.findLast(({ email }) => email === to)?.oobLink
    if (!link) throw new Error(`No mail to ${to}`)
    return link
  }

  const smsCode = async (phone: string) => {
    const { verificationCodes } = (await (await fetch(messages)).json()) as {
      verificationCodes: { phoneNumber: string; code: string }[]
    }
    const code = verificationCodes.findLast(({ phoneNumber }) => phoneNumber === phone)?.code
    if (!code) throw new Error(`No message to ${phone}`)
    return code
  }
  /** Signs in with a number; with an ID token, links it to that account. */
  const proveNumber = async (phoneNumber: string, to: { idToken?: string } = {}) => {
    const { token } = await send<{ token: string }>('POST', `${origin}/sandbox/recaptcha/token`)
    const request = { phoneNumber, recaptchaToken: token }
    const { sessionInfo } = await askAuth<{ sessionInfo: string }>('sendVerificationCode', request)
    const code = await smsCode(phoneNumber)
    return askAuth<{ localId: string }>('signInWithPhoneNumber', { sessionInfo, code, ...to })
  }
  const writeProfile = (
    uid: string,
    who: { name: string; email: string | null; phone: string | null },
    verifiedAddress = who.email,
  ) =>
    write(`users/${uid}`, {
      ...who,
      createdAt: new Date(),
      subscription: NO_SUBSCRIPTION,
      madeWith: who.email ? 'address' : 'phone',
      verifiedAddress,
    })

  return {
    origin,
    stripe,
    /** The official emulator serves in the place of the sandbox's Auth; the sandbox's own switches are not there. */
    hasAuthEmulator,
    /** Documents of a collection whose field has this value, as plain data. */
    documents,
    /** Stores a document as the administrator; a Date becomes an instant. */
    write,
    /** Deletes a document as the administrator. */
    remove,
    /** The link of the newest mail to the address. */
    mailLink,
    /** The code of the newest text message to the number. */
    smsCode,
    /** One of the sandbox's own switches, below `/sandbox/`. */
    tell,
    /** Switches the project's protection against e-mail enumeration. */
    protectAddresses,
    /** Creates an account with a verified address and a profile, without a browser. Returns its uid. */
    async register({ name, email, password }: Member) {
      const { localId, idToken } = await askAuth<{ localId: string; idToken: string }>('signUp', {
        email,
        password,
        returnSecureToken: true,
      })
      await askAuth('sendOobCode', { requestType: 'VERIFY_EMAIL', idToken })
      await fetch(await mailLink(email))
      await writeProfile(localId, { name, email, phone: null })
      return localId
    },
    /**
     * What the sign-in SDK keeps of the person's session on a device, by the name under which it does: so somebody is signed in
     * without the screens. The names are those of firebase 13; a person who stays signed out after an update is one that
     * has to be written anew, from what a sign-in leaves in the local storage.
     */
    async sessionOf({ email, password }: Omit<Member, 'name'>) {
      const account = { email, password, returnSecureToken: true }
      const { localId, idToken, refreshToken, expiresIn } = await askAuth<SignedIn>(
        'signInWithPassword',
        account,
      )
      const { users } = await askAuth<{ users: Found[] }>('lookup', { idToken })
      const [found] = users
      if (!found) throw new Error(`Nobody has the address ${email}`)
      const session = {
        uid: localId,
        email,
        emailVerified: found.emailVerified,
        isAnonymous: false,
        providerData: found.providerUserInfo.map(({ providerId }) => ({
          ...{ providerId, uid: email, email },
          ...{ displayName: null, phoneNumber: null, photoURL: null },
        })),
        stsTokenManager: {
          refreshToken,
          accessToken: idToken,
          expirationTime: Date.now() + Number(expiresIn) * 1000,
        },
        createdAt: found.createdAt,
        lastLoginAt: found.lastLoginAt,
        apiKey: API_KEY,
        appName: '[DEFAULT]',
      }
      return { name: `${ACCOUNT_KEY}${API_KEY}:[DEFAULT]`, value: JSON.stringify(session) }
    },
    /**
     * Signs up with an address that somebody else owns, as whoever does not own it can: with a phone of their own linked to it.
     * Or with the phone first, and then the address. The address may have been verified since; nobody has confirmed it.
     */
    async squat(
      { name, email, password, phone }: Member & { phone: string },
      {
        madeWith = 'address',
        isVerified = false,
      }: { madeWith?: 'address' | 'phone'; isVerified?: boolean } = {},
    ) {
      const account = { email, password, returnSecureToken: true }
      const { localId, idToken } = await askAuth<{ localId: string; idToken: string }>('signUp', account)
      await proveNumber(phone, { idToken })
      if (isVerified) {
        await askAuth('sendOobCode', { requestType: 'VERIFY_EMAIL', idToken })
        await fetch(await mailLink(email))
      }
      const own = madeWith === 'phone' ? { email: null, phone } : { email, phone: null }
      await writeProfile(localId, { name, ...own }, null)
    },
    /** Creates an account with a phone number and a profile, without a browser. Returns its uid. */
    async registerPhone({ name, phone }: { name: string; phone: string }) {
      const { localId } = await proveNumber(phone)
      await writeProfile(localId, { name, email: null, phone })
      return localId
    },
    /** The person's PaymentIntents, newest first, as the provider tells them. */
    async paymentIntentsOf(email: string) {
      const uid = await uidOf(email)
      const { data } = await stripe.paymentIntents.list({ limit: 100 })
      return data.filter(({ metadata }) => metadata.uid === uid)
    },
    /** The person's use of each month, in EUR cents. */
    ledgersOf: async (email: string) => documents('ledgers', 'uid', await uidOf(email)),
    transactionsOf: async (email: string) => documents('transactions', 'senderId', await uidOf(email)),
    addFault: (fault: object) => tell('faults', fault),
    /** Faults that no call has met yet. */
    pendingFaults: async (): Promise<unknown> => (await fetch(`${origin}/sandbox/faults`)).json(),
    /** Takes away what earlier tests have switched on or used up. */
    async renew() {
      await fetch(`${origin}/sandbox/faults`, { method: 'DELETE' })
      if (!hasAuthEmulator) await tell('auth/blocking', { phoneSignUps: false })
      await protectAddresses(false)
      const { documents: limits } = await asAdmin<{ documents: Row[] }>('GET', '/limits')
      await Promise.all(limits.map(({ name }) => remove(`limits/${name.split('/').at(-1)}`)))
    },
    /** Calls that no emulator understood. */
    unknownCalls: async (): Promise<unknown> => (await fetch(`${origin}/sandbox/unknown-calls`)).json(),
  }
}

interface Member {
  readonly name: string
  readonly email: string
  readonly password: string
}

interface SignedIn {
  localId: string
  idToken: string
  refreshToken: string
  expiresIn: string
}

interface Found {
  emailVerified: boolean
  providerUserInfo: { providerId: string }[]
  createdAt: string
  lastLoginAt: string
}

/** As in `.env.sandbox`. */
const API_KEY = 'sandbox'

const ADMINISTRATOR = { authorization: 'Bearer owner' }

const NO_SUBSCRIPTION = {
  tier: null,
  status: null,
  transactionsLeft: null,
  startDate: null,
  lastReset: null,
  stripeSubscriptionId: null,
  cancelAt: null,
}

interface Row {
  name: string
  fields: Record<string, WireValue>
}

type WireValue = { [type: string]: unknown } & { mapValue?: { fields?: Record<string, WireValue> } }

function plain(value: WireValue): unknown {
  if (value.mapValue)
    return Object.fromEntries(
      Object.entries(value.mapValue.fields ?? {}).map(([name, inner]) => [name, plain(inner)]),
    )
  const [type, raw] = Object.entries(value)[0] ?? []
  return type === 'integerValue' ? Number(raw) : raw
}

const wireFields = (data: object): Record<string, WireValue> =>
  Object.fromEntries(Object.entries(data).map(([name, value]) => [name, wire(value)]))

function wire(value: unknown): WireValue {
  if (value === null) return { nullValue: null }
  if (value instanceof Date) return { timestampValue: value.toISOString() }
  if (typeof value === 'string') return { stringValue: value }
  if (typeof value === 'boolean') return { booleanValue: value }
  if (typeof value === 'number')
    return Number.isInteger(value) ? { integerValue: String(value) } : { doubleValue: value }
  if (Array.isArray(value)) return { arrayValue: { values: value.map(wire) } }
  return { mapValue: { fields: wireFields(value as object) } }
}
