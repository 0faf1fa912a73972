import { describe, expect, test } from 'vitest'
import { SAMPLE_PAYOUT } from '../../../testing/payouts.ts'
import { createMtnProvider } from './mtn.ts'

const SETTINGS = {
  base: new URL('https://mtn.example'),
  targetEnvironment: 'mtnguineaconakry',
  subscriptionKey: 'key',
  apiUser: 'user',
  apiKey: 'key',
  callback: null,
}
/** Our account has `left` francs (null: unknown). */
async function explain(reason: string, left: number | null) {
  const state = {
    status: 'FAILED',
    amount: '1028200',
    currency: 'GNF',
    payee: { partyIdType: 'MSISDN', partyId: '224660000000' },
    reason,
  }
  const answers: Readonly<Record<string, () => Response>> = {
    'POST /disbursement/token/': () => Response.json({ access_token: 'token', expires_in: 3600 }),
    'POST /disbursement/v1_0/transfer': () =>
      Response.json({ code: reason, message: 'Any words.' }, { status: 500 }),
    [`GET /disbursement/v1_0/transfer/${SAMPLE_PAYOUT.reference}`]: () => Response.json(state),
    'GET /disbursement/v1_0/account/balance': () =>
      left === null
        ? new Response('', { status: 503 })
        : Response.json({ availableBalance: String(left), currency: 'GNF' }),
  }
  const fetch: typeof globalThis.fetch = async (input, init) =>
    answers[`${init?.method ?? 'GET'} ${new URL(String(input)).pathname}`]?.() ?? Response.error()
  const { api } = createMtnProvider(SETTINGS, { fetch, now: () => 0 })
  return [await api?.send(SAMPLE_PAYOUT), await api?.state(SAMPLE_PAYOUT)]
}

const meaning = (failure: string) => [
  { kind: 'refused', failure },
  { kind: 'failed', failure },
]

describe.each([
  'NOT_ENOUGH_FUNDS',
  'PAYER_LIMIT_REACHED',
  'LOW_BALANCE_OR_PAYEE_LIMIT_REACHED_OR_NOT_ALLOWED',
])('the reason %s', (reason) => {
  test.each([1_028_200, 5_000_000])('MTN’s failure is a limit if our account has %d francs', async (left) => {
    expect(await explain(reason, left)).toEqual(meaning('limit'))
  })

  test.each([1_028_199, 0, -1])(
    'MTN’s failure lacks our funds if our account has %d francs',
    async (left) => {
      expect(await explain(reason, left)).toEqual(meaning('noBalance'))
    },
  )

  test('a failure with an unreadable balance is unknown (`silent`)', async () => {
    expect(await explain(reason, null)).toEqual([{ kind: 'silent' }, { kind: 'silent' }])
  })
})
