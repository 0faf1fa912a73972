import { type ChildProcess, spawn } from 'node:child_process'
import Stripe from 'stripe'

export interface Server {
  readonly origin: string
  readonly stripe: Stripe
  /** The link of the newest mail to the address. */
  mailLink(to: string): Promise<string>
  /** Documents of a collection whose field has this value, as plain data. */
  documents(collection: string, field: string, value: string): Promise<Record<string, unknown>[]>
  /** Stores a document as the administrator; a Date becomes an instant. */
  write(path: string, data: Record<string, unknown>): Promise<void>
  /** Creates an account with a verified address and a profile, without a browser. Returns its uid. */
  register(details: { name: string; email: string; password: string }): Promise<string>
  /** The person's PaymentIntents, newest first, as the provider tells them. */
  paymentIntentsOf(email: string): Promise<Stripe.PaymentIntent[]>
  transactionsOf(email: string): Promise<Record<string, unknown>[]>
  /** The person's use of each month, in EUR cents. */
  ledgersOf(email: string): Promise<Record<string, unknown>[]>
  addFault(fault: object): Promise<void>
  /** Calls that no stand-in understood. */
  unknownCalls(): Promise<unknown>
}

interface Hosts {
  projectId: string
  inbox: string
  stripeSecretKey: string
}

/** Starts the product with its sandbox on a free port. */
export async function startServer(): Promise<{ server: Server; stop: () => void }> {
  const child = spawn('node_modules/.bin/node', ['sandbox/start.ts'], {
    env: { ...process.env, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const origin = await readyLine(child)
  const hosts = (await (await fetch(`${origin}/sandbox/hosts.json`)).json()) as Hosts
  return { server: serverAt(origin, hosts), stop: () => child.kill() }
}

function readyLine(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let printed = ''
    child.stdout?.on('data', (chunk) => {
      printed += chunk
      const origin = /ready on (http\S+)/.exec(printed)?.[1]
      if (origin) resolve(origin)
    })
    child.once('exit', () => reject(new Error(`The server did not start: ${printed}`)))
  })
}

function serverAt(origin: string, { projectId, inbox, stripeSecretKey }: Hosts): Server {
  const { hostname, port } = new URL(origin)
  const stripe = new Stripe(stripeSecretKey, { host: hostname, port, protocol: 'http', maxNetworkRetries: 0 })

  const send = async <Answer>(method: string, path: string, body: object): Promise<Answer> => {
    const response = await fetch(`${origin}/${path}`, {
      method,
      headers: { authorization: 'Bearer owner', 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    if (!response.ok)
      throw new Error(`${method} ${path}: ${response.status} ${(await response.text()).slice(0, 500)}`)
    return (await response.json()) as Answer
  }
  const database = `v1/projects/${projectId}/databases/(default)/documents`
  const accounts = 'identitytoolkit.googleapis.com/v1/accounts'

  const query = async (collection: string, field: string, value: string): Promise<Row[]> => {
    const rows = await send<{ document?: Row }[]>('POST', `${database}:runQuery`, {
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
    await send('PATCH', `${database}/${path}`, { fields: wireFields(data) })
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

  return {
    origin,
    stripe,
    documents,
    write,
    mailLink,
    async register({ name, email, password }) {
      const { localId, idToken } = await send<{ localId: string; idToken: string }>(
        'POST',
        `${accounts}:signUp?key=sandbox`,
        { email, password, returnSecureToken: true },
      )
      await send('POST', `${accounts}:sendOobCode?key=sandbox`, { requestType: 'VERIFY_EMAIL', idToken })
      await fetch(await mailLink(email))
      const subscription = {
        tier: null,
        status: null,
        transactionsLeft: null,
        startDate: null,
        lastReset: null,
        stripeSubscriptionId: null,
        cancelAt: null,
      }
      await write(`users/${localId}`, { email, name, phone: null, createdAt: new Date(), subscription })
      return localId
    },
    async paymentIntentsOf(email) {
      const uid = await uidOf(email)
      const { data } = await stripe.paymentIntents.list({ limit: 100 })
      return data.filter(({ metadata }) => metadata.uid === uid)
    },
    ledgersOf: async (email) => documents('ledgers', 'uid', await uidOf(email)),
    transactionsOf: async (email) => documents('transactions', 'senderId', await uidOf(email)),
    async addFault(fault) {
      await fetch(`${origin}/sandbox/faults`, { method: 'POST', body: JSON.stringify(fault) })
    },
    unknownCalls: async () => (await fetch(`${origin}/sandbox/unknown-calls`)).json(),
  }
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
  return { mapValue: { fields: wireFields(value as object) } }
}
