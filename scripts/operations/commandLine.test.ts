import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { createPaymentIntent } from '../../netlify/server/endpoints/createPaymentIntent.ts'
import { buildTransferRequest, createWorld, type World } from '../../netlify/testing/world.ts'
import { runCommandLine } from './commandLine.ts'
import { COMMANDS, describeUsage, parseCommandName } from './commands.ts'

let world: World
beforeAll(async () => {
  world = await createWorld({ sockets: true })
})
beforeEach(() => {
  world.reset()
  for (const [name, value] of Object.entries(world.sandbox.functionSettings())) vi.stubEnv(name, value)
})
afterEach(() => vi.unstubAllEnvs())
afterAll(() => world.close())

async function run(line: string) {
  const lines: string[] = []
  const code = await runCommandLine(line.split(' ').filter(Boolean), (text) => lines.push(text))
  return { code, lines, text: lines.join('\n') }
}

const SIGNED = '--by Awa --because tried'
const TARGET = 'Firebase project demo-passerelle, Stripe account acct_sandbox (test mode)'
const stored = () => world.context.db.doc('settings/stripe')
const areOpen = async () => (await run('payments show')).lines[0] === 'Payments are open.'

describe('the help of the commands', () => {
  test.each(['', '--help'])('the help lists every command: %s', async (line) => {
    const { code, text } = await run(line)
    expect(code).toBe(0)
    for (const usage of Object.keys(COMMANDS)) expect(text).toContain(`  ${describeUsage(usage)}\n`)
  })

  test.each(Object.entries(COMMANDS))(
    'the help describes one command: %s',
    async (usage, { about, writes }) => {
      const { code, text } = await run(`${parseCommandName(usage)} --help`)
      expect(code).toBe(0)
      expect(text).toContain(`  ${describeUsage(usage)}\n      ${about}${writes ? ' (writes)' : ''}.\n`)
      expect(text.match(/^ {6}\S/gm)).toHaveLength(1)
    },
  )

  test('the help describes the commands of a group', async () => {
    const { text } = await run('people --help')
    expect(text.match(/^ {2}[a-z].*/gm)).toEqual([
      '  people show <user>',
      '  people stop <user> --by NAME --because TEXT',
      '  people resume <user> --by NAME --because TEXT',
      '  people cases',
      '  people release <payment> --by NAME --because TEXT',
      '  people refuse <payment> --by NAME --because TEXT',
    ])
  })
})

test.each(['people', 'payments shut', 'coupon end', 'payments show more', 'invoice edf 1', 'list --by'])(
  'an unknown or incomplete command is not run: %s',
  async (line) => {
    expect(await run(line)).toMatchObject({
      code: 2,
      text: expect.stringContaining('Usage: npm run ops -- '),
    })
  },
)

test('a command reports missing settings by name', async () => {
  vi.stubEnv('STRIPE_SECRET_KEY', undefined)
  expect(await run('payments show')).toMatchObject({
    code: 2,
    text: expect.stringContaining('STRIPE_SECRET_KEY is missing'),
  })
  vi.stubEnv('FIREBASE_PROJECT_ID', undefined)
  expect(await run('payments show')).toMatchObject({ code: 2, text: expect.stringContaining('--sandbox') })
})

test('the first keys of receipts need no deployment', async () => {
  for (const name of Object.keys(world.sandbox.functionSettings())) vi.stubEnv(name, undefined)
  expect(await run('keys')).toMatchObject({
    code: 0,
    text: expect.stringContaining('\nRECEIPT_SIGNING_KEY='),
  })
})

test('a command reports which service refuses its key', async () => {
  vi.stubEnv('STRIPE_SECRET_KEY', 'sk_test_revoked')
  expect(await run('explain pi_1')).toMatchObject({
    code: 1,
    lines: ['WRONG   explain pi_1: Stripe does not accept STRIPE_SECRET_KEY.', expect.any(String)],
  })
})

test('a command reports the collection and field of a malformed document', async () => {
  await world.context.db.doc('deliveries/pi_1').set({ state: 'held', amount: 'many' })
  expect(await run('deliveries list')).toMatchObject({
    code: 1,
    text: expect.stringMatching(
      /^WRONG {3}deliveries list: a document is malformed \(deliveries: [\w.]+\)\.$/m,
    ),
  })
})

test.each([
  'deliveries release pi_1',
  'people release pi_1',
  'people stop 7hB',
  'invoice allow edf 6012-1001 2026-11-30',
  'unknown-payments refund pi_1',
  'unknown-payments keep pi_1',
])('a command that changed nothing does not exit with 0: %s', async (line) => {
  expect((await run(`${line} ${SIGNED}`)).code).not.toBe(0)
})

describe('a command that writes', () => {
  const WRITING = Object.entries(COMMANDS).flatMap(([usage, { writes }]) =>
    writes ? parseCommandName(usage) : [],
  )

  test('a writing command names project, account and mode, and stores the account', async () => {
    expect(await run(`payments close ${SIGNED}`)).toMatchObject({
      code: 0,
      lines: [TARGET, expect.stringMatching(/^Payments have been closed since/), 'No coupon has ended.'],
    })
    expect((await stored().get()).data()).toEqual({ account: 'acct_sandbox', mode: 'test' })
    expect((await run(`payments open ${SIGNED}`)).lines[0]).toBe(TARGET)
  })

  test.each([
    ['account', { account: 'acct_other', mode: 'test' }, 'acct_other (test mode)'],
    ['mode', { account: 'acct_sandbox', mode: 'live' }, 'acct_sandbox (live mode)'],
  ])('a command that writes is refused with a key of another %s', async (_, account, described) => {
    await stored().set(account)
    const refused = {
      code: 2,
      lines: [
        `Nothing was changed: the database of demo-passerelle belongs to the Stripe account ${described}, but STRIPE_SECRET_KEY belongs to acct_sandbox (test mode). If the key is right, correct settings/stripe in the database.`,
      ],
    }
    expect(await run(`payments close ${SIGNED}`)).toMatchObject(refused)
    expect(await areOpen()).toBe(true)
    expect((await stored().get()).data()).toEqual(account)
  })

  test('a writing command is refused if Stripe doesn’t know a stored payment', async () => {
    const uid = await world.person()
    await createPaymentIntent(world.context, { uid }, buildTransferRequest(uid))
    const { docs } = await world.context.db.collection('attempts').get()
    await docs[0]?.ref.update({ paymentIntentId: 'pi_elsewhere' })
    const { code, text } = await run(`payments close ${SIGNED}`)
    expect([code, text]).toEqual([2, expect.stringContaining('Stripe does not know pi_elsewhere')])
    expect(await areOpen()).toBe(true)
    expect((await stored().get()).exists).toBe(false)
    await docs[0]?.ref.update({ paymentIntentId: world.sandbox.stripe.paymentIntents()[0]?.id })
    expect((await run(`payments close ${SIGNED}`)).lines[0]).toBe(TARGET)
  })

  test('a writing command is refused without the account of the key', async () => {
    world.sandbox.faults.add({ on: 'GET /v1/account', times: 1, what: { kind: 'status', status: 403 } })
    expect((await run(`payments close ${SIGNED}`)).code).toBe(1)
    expect(await areOpen()).toBe(true)
  })

  test.each(WRITING)('a command that writes checks the account of the key first: %s', async (name) => {
    await stored().set({ account: 'acct_other', mode: 'test' })
    const submission = '1763640000000-0f8fad5b-d9cb-469f-a165-708677289501'
    const options: Readonly<Record<string, string>> = {
      'deliveries claim': '',
      'deliveries export': 'b1 --export b1.csv',
      'books move': 'SEPA-1 bank mtn 970EUR',
      approve: '20261120T120000-0a1b2c3d',
      'deliveries delivered': 'pi_1 --reference W1',
      'refunds settle': 'pi_1 --reference R1',
      'deliveries failed': 'pi_1 --reason expired',
      'identity approve': submission,
      'identity export': `${submission} --export passport.png`,
      'identity reject': `${submission} --reason blurred`,
      'invoice allow': 'edf 6012-1001 2026-11-30',
    }
    const args = options[name] ?? (/^(deliveries|unknown|people re(lease|fuse))/.test(name) ? 'pi_1' : 'ZERO')
    const line = `${/^payments/.test(name) ? name : `${name} ${args}`} ${SIGNED}`
    const before = JSON.stringify(world.sandbox.dump())
    expect(await run(line)).toMatchObject({ code: 2, text: expect.stringMatching(/^Nothing was changed/) })
    expect(JSON.stringify(world.sandbox.dump())).toBe(before)
  })
})

test('a command that only reads does not store an account', async () => {
  const before = JSON.stringify(world.sandbox.dump())
  for (const line of ['payments show', 'people show 7hB', 'deliveries list', 'reconcile', 'explain pi_1'])
    expect((await run(line)).lines[0]).not.toBe(TARGET)
  expect(JSON.stringify(world.sandbox.dump())).toBe(before)
})
