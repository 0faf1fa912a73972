import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { arePaymentsClosed } from '../../netlify/server/payments/paymentsState.ts'
import { resetWorldForEachTest, world } from '../../netlify/testing/emptyWorld.ts'
import { CommandError } from './commandError.ts'
import { type CommandOptions, runCommand } from './commands.ts'
import { APPROVAL_PERIOD } from './operatorActions.ts'

resetWorldForEachTest()

const AWA = { by: 'Awa', because: 'Stripe is up again' }
const BINTA = { by: 'Binta', because: 'seen with Awa' }
const run = async (command: string, options: CommandOptions = {}, isSecondPersonRequired = false) =>
  (await runCommand(world.context, command.split(' '), options, { isSecondPersonRequired })).lines

test('the log records a command that writes, with its operator and reason', async () => {
  const uid = await world.person()
  expect(await run('actions')).toEqual(['No action is recorded.'])
  await run(`people stop ${uid}`, { by: 'Awa', because: 'asked for by the police' })
  world.pass(1000)
  await run('payments close', { by: 'Binta', because: 'Stripe is down' })
  expect(await run('actions')).toEqual([
    expect.stringMatching(/: 2026-11-20 12:00:01 UTC, Binta: payments close \(Stripe is down\)\.$/),
    expect.stringMatching(`, Awa: people stop ${uid} \\(asked for by the police\\)\\.$`),
  ])
  expect(await run(`actions ${uid}`)).toEqual([expect.stringContaining(`people stop ${uid}`)])
})

test('the list of actions about a user contains the latest hundred', async () => {
  const uid = await world.person()
  for (let n = 0; n <= 100; n += 1) {
    await run(`people stop ${uid}`, { by: 'Awa', because: `reason ${n}` })
    world.pass(1000)
  }
  const listed = await run(`actions ${uid}`)
  expect(listed).toHaveLength(100)
  expect([listed[0], listed[99]]).toEqual([
    expect.stringContaining('(reason 100)'),
    expect.stringContaining('(reason 1)'),
  ])
})

test('the log records a file of a batch that is written again', async () => {
  const path = join(mkdtempSync(join(tmpdir(), 'batch-')), 'b1.csv')
  await run('deliveries export b1', { ...AWA, export: path })
  expect(await run('actions b1')).toEqual([
    expect.stringContaining(`Awa: deliveries export b1 --export ${path} (Stripe is up again)`),
  ])
})

test('the log records a command that fails', async () => {
  await expect(run('deliveries failed pi_1', { ...AWA, reason: 'bad' })).rejects.toThrow(CommandError)
  expect(await run('actions pi_1')).toEqual([
    expect.stringContaining('Awa: deliveries failed pi_1 --reason bad (Stripe is up again)'),
  ])
})

test.each<CommandOptions>([{}, { by: 'Awa' }, { because: 'a reason' }, { by: ' ', because: 'a reason' }])(
  'a writing command needs an operator and a reason: %o',
  async (options) => {
    await expect(run('payments close', options)).rejects.toThrow(/--by NAME --because TEXT/)
    expect(await run('actions')).toEqual(['No action is recorded.'])
  },
)

describe('SECOND_PERSON_REQUIRED', () => {
  async function ask() {
    await run('payments close', AWA, true)
    const [first, second = ''] = await run('payments open', AWA, true)
    expect(first).toMatch(/^Nothing was changed yet/)
    return /approve (\S+)/.exec(second)?.[1] ?? ''
  }

  test('a command waits until another operator approves it if SECOND_PERSON_REQUIRED is set', async () => {
    const id = await ask()
    expect(await arePaymentsClosed(world.context)).toBe(true)
    expect((await run(`approve ${id}`, BINTA, true))[0]).toBe('Payments are open.')
    expect(await arePaymentsClosed(world.context)).toBe(false)
    expect(await run(`actions ${id}`)).toEqual([
      expect.stringContaining(`Binta: approve ${id} (seen with Awa)`),
    ])
  })

  test.each([
    [
      'the operator who asked for it',
      { by: 'AWA', because: 'again' },
      0,
      /^Nothing was changed: the operator who requested it/,
    ],
    [
      'anyone after a day',
      BINTA,
      APPROVAL_PERIOD + 1,
      /^Nothing was changed: it was requested more than 24 hours ago/,
    ],
  ])('a waiting command can’t be approved by %s', async (_, options, passed, refused) => {
    const id = await ask()
    world.pass(passed)
    await expect(run(`approve ${id}`, options, true)).rejects.toThrow(refused)
    expect(await arePaymentsClosed(world.context)).toBe(true)
  })

  test('a waiting command can be approved once, within 24 hours', async () => {
    const id = await ask()
    world.pass(APPROVAL_PERIOD)
    await run(`approve ${id}`, BINTA, true)
    await run('payments close', AWA, true)
    await expect(run(`approve ${id}`, BINTA, true)).rejects.toThrow(/already approved/)
    expect(await arePaymentsClosed(world.context)).toBe(true)
  })

  test.each([
    'deliveries delivered pi_1',
    'refunds settle pi_1',
    'people resume 7hB',
    'people release pi_1',
    'payments open',
  ])('the command “%s” waits for another operator', async (command) => {
    const options = /^(deliveries|refunds)/.test(command) ? { ...AWA, reference: 'W1' } : AWA
    expect((await run(command, options, true))[0]).toMatch(/^Nothing was changed yet/)
  })

  test.each(['people stop USER', 'payments close'])(
    'the command “%s” does not wait for another operator',
    async (command) => {
      const words = command.replace('USER', await world.person())
      expect((await run(words, AWA, true))[0]).not.toMatch(/^Nothing was changed yet/)
    },
  )

  test('an approval is rejected for an action that needs none', async () => {
    await run('payments close', AWA, true)
    const [line = ''] = await run('actions')
    const id = line.split(':')[0]
    await expect(run(`approve ${id}`, BINTA, true)).rejects.toThrow(/needs no approval/)
    await expect(run('approve nothing', BINTA, true)).rejects.toThrow(/no action has this ID/)
  })
})
