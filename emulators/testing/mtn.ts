import { randomUUID } from 'node:crypto'
import type { DeliverCallback } from '../mtn/callbacks.ts'
import { createMtnEmulator, type MtnOptions } from '../mtn/mtn.ts'
import { serve } from '../serve.ts'

const SUBSCRIPTION_KEY = 'disbursements-key'
export const API_USER = '11111111-1111-4111-8111-111111111111'
export const API_KEY = 'api-key'

interface Asked {
  readonly method?: 'GET' | 'POST' | 'PUT'
  readonly headers?: Record<string, string | undefined>
  readonly body?: unknown
}

export async function serveMtn(deps: Partial<MtnOptions> = {}) {
  const settings = {
    now: Date.UTC(2026, 10, 20, 12),
    unknown: [] as string[],
    received: [] as { readonly method: string; readonly path: string; readonly body: unknown }[],
    /** 200 once the list is empty. */
    answers: [] as number[],
    deliver: undefined as DeliverCallback | undefined,
  }
  const endpoint = await serve(async (request) => {
    const { method, url } = request
    settings.received.push({ method, path: new URL(url).pathname, body: await request.json() })
    return new Response(null, { status: settings.answers.shift() ?? 200 })
  })
  const emulator = createMtnEmulator({
    clock: { now: () => settings.now },
    reportUnknown: (service, what) => settings.unknown.push(`${service}: ${what}`),
    subscriptionKey: SUBSCRIPTION_KEY,
    targetEnvironment: 'mtnguineaconakry',
    currency: 'GNF',
    apiUser: API_USER,
    apiKey: API_KEY,
    callbackHost: () => '127.0.0.1',
    openingBalance: 5_000_000,
    deliver: (event, send) => (settings.deliver ? settings.deliver(event, send) : send()),
    ...deps,
  })
  const server = await serve(emulator.app.fetch)

  /** A header whose value is undefined is removed. */
  async function ask(path: string, { method = 'GET', headers = {}, body }: Asked = {}) {
    const sent = new Headers({ 'ocp-apim-subscription-key': SUBSCRIPTION_KEY })
    for (const [name, value] of Object.entries(headers))
      if (value === undefined) sent.delete(name)
      else sent.set(name, value)
    const response = await fetch(`${server.origin}${path}`, {
      method,
      headers: sent,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    return { status: response.status, body: text === '' ? null : (JSON.parse(text) as unknown) }
  }

  async function token(user = API_USER, key = API_KEY): Promise<string> {
    const authorization = `Basic ${btoa(`${user}:${key}`)}`
    const { body } = await ask('/disbursement/token/', { method: 'POST', headers: { authorization } })
    return (body as { access_token: string }).access_token
  }

  const signedIn = async () => ({
    authorization: `Bearer ${await token()}`,
    'x-target-environment': 'mtnguineaconakry',
  })

  return Object.assign(settings, {
    emulator,
    callbackUrl: `${endpoint.origin}/callback`,
    ask,
    token,
    signedIn,

    async transfer(
      changes: Readonly<Record<string, unknown>> = {},
      headers: Record<string, string | undefined> = {},
    ) {
      const reference = headers['x-reference-id'] ?? randomUUID()
      const answer = await ask('/disbursement/v1_0/transfer', {
        method: 'POST',
        headers: { ...(await signedIn()), 'x-reference-id': reference, ...headers },
        body: { ...TRANSFER_BODY, ...changes },
      })
      return { reference, ...answer }
    },
    state: async (reference: string) =>
      ask(`/disbursement/v1_0/transfer/${reference}`, { headers: await signedIn() }),

    async stop() {
      emulator.reset()
      await server.close()
      await endpoint.close()
    },
  })
}

export type MtnTestServer = Awaited<ReturnType<typeof serveMtn>>

export const TRANSFER_BODY = {
  amount: '1028200',
  currency: 'GNF',
  externalId: 'pi_1',
  payee: { partyIdType: 'MSISDN', partyId: '224660000000' },
  payerMessage: 'Demo',
  payeeNote: 'Demo',
}

export const buildPayee = (partyId: string) => ({ payee: { partyIdType: 'MSISDN', partyId } })
