import { type ChildProcess, spawn } from 'node:child_process'
import { test as base, expect, type Page } from '@playwright/test'
import Stripe from 'stripe'

export { expect }

export interface Server {
  readonly origin: string
  readonly stripe: Stripe
  /** The link of the newest mail to the address. */
  mailLink(to: string): Promise<string>
  /** Documents of a collection whose field has this value, as plain data. */
  documents(collection: string, field: string, value: string): Promise<Record<string, unknown>[]>
  /** The person's PaymentIntents, newest first, as the provider tells them. */
  paymentIntentsOf(email: string): Promise<Stripe.PaymentIntent[]>
  transactionsOf(email: string): Promise<Record<string, unknown>[]>
  /** The person's use of each month, in EUR cents. */
  ledgersOf(email: string): Promise<Record<string, unknown>[]>
  addFault(fault: object): Promise<void>
}

interface Hosts {
  projectId: string
  inbox: string
  stripeSecretKey: string
}

/** Each worker has a server of its own; each test its own people on it. Stray console errors fail a test. */
export const test = base.extend<{ expectedErrors: RegExp[]; watched: undefined }, { server: Server }>({
  server: [
    async ({}, use) => {
      const child = spawn('node_modules/.bin/node', ['sandbox/start.ts'], {
        env: { ...process.env, PORT: '0' },
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      const origin = await readyLine(child)
      const hosts = (await (await fetch(`${origin}/sandbox/hosts.json`)).json()) as Hosts
      await use(serverAt(origin, hosts))
      const unknown = await (await fetch(`${origin}/sandbox/unknown-calls`)).json()
      child.kill()
      expect(unknown, 'calls that no stand-in understood').toEqual([])
    },
    { scope: 'worker' },
  ],
  baseURL: async ({ server }, use) => use(server.origin),
  expectedErrors: [[], { option: true }],
  watched: [
    async ({ context, expectedErrors }, use) => {
      const stray: string[] = []
      const note = (text: string) => {
        if (!expectedErrors.some((expected) => expected.test(text))) stray.push(text)
      }
      const watch = (page: Page) => {
        page.on('console', (message) => message.type() === 'error' && note(message.text()))
        page.on('pageerror', (error) => note(String(error)))
      }
      context.pages().forEach(watch)
      context.on('page', watch)
      await use(undefined)
      expect(stray, 'errors on the console').toEqual([])
    },
    { auto: true },
  ],
})

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

  const query = async (collection: string, field: string, value: string): Promise<Row[]> => {
    const response = await fetch(
      `${origin}/v1/projects/${projectId}/databases/(default)/documents:runQuery`,
      {
        method: 'POST',
        headers: { authorization: 'Bearer owner', 'content-type': 'application/json' },
        body: JSON.stringify({
          structuredQuery: {
            from: [{ collectionId: collection }],
            where: {
              fieldFilter: { field: { fieldPath: field }, op: 'EQUAL', value: { stringValue: value } },
            },
          },
        }),
      },
    )
    const rows = (await response.json()) as { document?: Row }[]
    return rows.flatMap(({ document }) => document ?? [])
  }
  const documents = async (collection: string, field: string, value: string) =>
    (await query(collection, field, value)).map((row) => plain({ mapValue: row }) as Record<string, unknown>)
  const uidOf = async (email: string) => {
    const [user] = await query('users', 'email', email)
    const uid = user?.name.split('/').at(-1)
    if (!uid) throw new Error(`Nobody has the address ${email}`)
    return uid
  }

  return {
    origin,
    stripe,
    documents,
    async mailLink(to) {
      const { oobCodes } = (await (await fetch(inbox)).json()) as {
        oobCodes: { email: string; oobLink: string }[]
      }
      const link = oobCodes.findLast(({ email }) => email === to)?.oobLink
      if (!link) throw new Error(`No mail to ${to}`)
      return link
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
