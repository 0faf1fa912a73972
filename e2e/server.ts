import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { initializeApp } from 'firebase/app'
import {
  collection,
  connectFirestoreEmulator,
  deleteDoc,
  doc,
  getDocs,
  getFirestore,
  query,
  setDoc,
  where,
} from 'firebase/firestore/lite'
import Stripe from 'stripe'
import { EMPTY_SUBSCRIPTION } from '../domain/prices/plans.ts'
import { ACCOUNT_KEY_PREFIX } from '../src/services/storedAccount.ts'

export type Server = ReturnType<typeof createServerClient>

interface Hosts {
  projectId: string
  auth: string
  inbox: string
  messages: string
  stripeSecretKey: string
}

/** Refuses packages that `npm start` does not install. */
const ONLY_START = new URL('../build/limitToStartPackages.ts', import.meta.url).href

export interface StartedServer {
  readonly server: Server
  /** Returns the lines since the last call, one for each response. */
  takeLog(): string
  stop(): void
  /** Kills the server, as in a power cut, and starts it again on the same port. */
  crashAndRestart(): Promise<void>
}

/** By default: an empty sandbox on a free port, which stores nothing and does not wait before a payout. */
export async function startServer(settings: Record<string, string> = {}): Promise<StartedServer> {
  let logged = ''
  const start = (port: string) => {
    const started = spawn('node_modules/.bin/node', [`--import=${ONLY_START}`, 'scripts/start/start.ts'], {
      env: {
        ...{ ...process.env, HOST: '', PORT: port, SANDBOX_SNAPSHOT: '' },
        ...{ DELIVERY_PROVIDERS: '', CANCELLATION_WINDOW_SECONDS: '0', ...settings },
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    logged = ''
    started.stdout.on('data', (chunk) => {
      logged += chunk
    })
    return started
  }
  let child = start('0')
  const origin = await waitForOrigin(child, () => logged)
  const hosts = (await (await fetch(`${origin}/sandbox/hosts.json`)).json()) as Hosts
  return {
    server: createServerClient(origin, hosts),
    takeLog() {
      const taken = logged
      logged = ''
      return taken
    },
    stop: () => void child.kill(),
    async crashAndRestart() {
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
      child = start(new URL(origin).port)
      await waitForOrigin(child, () => logged)
    },
  }
}

function waitForOrigin(child: ChildProcess, logged: () => string): Promise<string> {
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

function createServerClient(origin: string, { projectId, auth, inbox, messages, stripeSecretKey }: Hosts) {
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
  /** With the administrator's header, the official emulator would create accounts without a session. */
  const askAuth = <Answer>(operation: string, body: object) =>
    send<Answer>(
      'POST',
      `http://${auth}/identitytoolkit.googleapis.com/v1/accounts:${operation}?key=${API_KEY}`,
      body,
    )

  /** `mask`: the names of the changed fields. */
  const configureAuth = (mask: string, config: object) =>
    send(
      'PATCH',
      `http://${auth}/identitytoolkit.googleapis.com/v2/projects/${projectId}/config?updateMask=${mask}`,
      config,
      ADMINISTRATOR,
    )
  const protectAddresses = (enableImprovedEmailPrivacy: boolean) =>
    configureAuth('emailPrivacyConfig', { emailPrivacyConfig: { enableImprovedEmailPrivacy } })
  const setPasswordPolicy = (customStrengthOptions: object) =>
    configureAuth('passwordPolicyConfig', {
      passwordPolicyConfig: {
        passwordPolicyEnforcementState: 'ENFORCE',
        passwordPolicyVersions: [{ customStrengthOptions }],
      },
    })

  const database = getFirestore(initializeApp({ projectId }, crypto.randomUUID()))
  connectFirestoreEmulator(database, hostname, Number(port), { mockUserToken: 'owner' })
  const find = async (name: string, field: string, value: string) =>
    (await getDocs(query(collection(database, name), where(field, '==', value)))).docs
  const documents = async (name: string, field: string, value: string) =>
    (await find(name, field, value)).map((document) => document.data())
  const write = (path: string, data: Record<string, unknown>) => setDoc(doc(database, path), data)
  const remove = (path: string) => deleteDoc(doc(database, path))
  const callSandbox = async (path: string, body: object) => {
    await fetch(`${origin}/sandbox/${path}`, { method: 'POST', body: JSON.stringify(body) })
  }
  const findUid = async (email: string) => {
    const [user] = await find('users', 'email', email)
    if (!user) throw new Error(`Nobody has the address ${email}`)
    return user.id
  }
  const readMailLink = async (to: string) => {
    const { oobCodes } = (await (await fetch(inbox)).json()) as {
      oobCodes: { email: string; oobLink: string }[]
    }
    const link = oobCodes.findLast(({ email }) => email === to)?.oobLink
    if (!link) throw new Error(`No mail to ${to}`)
    return link
  }

  // The official emulator's page applies the code as soon as it is opened.
  const applyMailLink = async (to: string) => {
    await fetch(await readMailLink(to), { method: hasAuthEmulator ? 'GET' : 'POST' })
  }

  const readSmsCode = async (phone: string) => {
    const { verificationCodes } = (await (await fetch(messages)).json()) as {
      verificationCodes: { phoneNumber: string; code: string }[]
    }
    const code = verificationCodes.findLast(({ phoneNumber }) => phoneNumber === phone)?.code
    if (!code) throw new Error(`No message to ${phone}`)
    return code
  }
  /** With an ID token, links the number to that account. */
  const proveNumber = async (phoneNumber: string, to: { idToken?: string } = {}) => {
    const { token } = await send<{ token: string }>('POST', `${origin}/sandbox/recaptcha/token`)
    const request = { phoneNumber, recaptchaToken: token }
    const { sessionInfo } = await askAuth<{ sessionInfo: string }>('sendVerificationCode', request)
    const code = await readSmsCode(phoneNumber)
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
      subscription: EMPTY_SUBSCRIPTION,
      madeWith: who.email ? 'address' : 'phone',
      verifiedAddress,
    })

  return {
    origin,
    stripe,
    hasAuthEmulator,
    documents,
    write,
    remove,
    mailLink: readMailLink,
    /** Applies the link in the latest mail to the address. */
    openMail: applyMailLink,
    smsCode: readSmsCode,
    /** Calls a switch of the sandbox below `/sandbox/`. */
    tell: callSandbox,
    protectAddresses,
    setPasswordPolicy,
    /** Creates an account with a verified address and a profile. Returns its uid. */
    async register({ name, email, password }: Member) {
      const { localId, idToken } = await askAuth<{ localId: string; idToken: string }>('signUp', {
        email,
        password,
        returnSecureToken: true,
      })
      await askAuth('sendOobCode', { requestType: 'VERIFY_EMAIL', idToken })
      await applyMailLink(email)
      await writeProfile(localId, { name, email, phone: null })
      return localId
    },
    /**
     * Builds the stored session of the sign-in SDK, in the format of firebase 13, and its key. If users stay
     * signed out after an update, copy the format from the local storage after a real sign-in.
     */
    async buildSession({ email, password }: Omit<Member, 'name'>) {
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
      return { name: `${ACCOUNT_KEY_PREFIX}${API_KEY}:[DEFAULT]`, value: JSON.stringify(session) }
    },
    /**
     * A stranger can sign up with another user's address and link their own phone, or begin with the phone.
     * With `isVerified`, the link sent to the address has been opened.
     */
    async registerWithForeignAddress(
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
        await applyMailLink(email)
      }
      const own = madeWith === 'phone' ? { email: null, phone } : { email, phone: null }
      await writeProfile(localId, { name, ...own }, null)
    },
    async registerPhone({ name, phone }: { name: string; phone: string }) {
      const { localId } = await proveNumber(phone)
      await writeProfile(localId, { name, email: null, phone })
      return localId
    },
    /** Newest first. */
    async listPaymentIntents(email: string) {
      const uid = await findUid(email)
      const { data } = await stripe.paymentIntents.list({ limit: 100 })
      return data.filter(({ metadata }) => metadata.uid === uid)
    },
    /** In EUR cents. */
    readLedgers: async (email: string) => documents('ledgers', 'uid', await findUid(email)),
    readTransactions: async (email: string) => documents('transactions', 'senderId', await findUid(email)),
    addFault: (fault: object) => callSandbox('faults', fault),
    listPendingFaults: async (): Promise<unknown> => (await fetch(`${origin}/sandbox/faults`)).json(),
    async resetSandbox() {
      await fetch(`${origin}/sandbox/faults`, { method: 'DELETE' })
      if (!hasAuthEmulator) await callSandbox('auth/blocking', { phoneSignUps: false })
      await protectAddresses(false)
      await setPasswordPolicy({})
      const limits = await getDocs(collection(database, 'limits'))
      await Promise.all(limits.docs.map(({ ref }) => deleteDoc(ref)))
    },
    listUnknownCalls: async (): Promise<unknown> => (await fetch(`${origin}/sandbox/unknown-calls`)).json(),
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

const API_KEY = 'sandbox'

const ADMINISTRATOR = { authorization: 'Bearer owner' }
