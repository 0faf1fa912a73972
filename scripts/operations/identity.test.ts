import { existsSync, mkdtempSync, readFileSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { MINUTE } from '../../domain/common/duration.ts'
import { closeIdentityReviews } from '../../netlify/server/accounts/identityQueue.ts'
import { createPaymentIntent } from '../../netlify/server/endpoints/createPaymentIntent.ts'
import { enableSimulatedProvider, readOrder } from '../../netlify/testing/deliveries.ts'
import { recordPayment, resetWorldForEachTest, world } from '../../netlify/testing/emptyWorld.ts'
import { expectTransferPaymentStarted, startTransferPayment } from '../../netlify/testing/payments.ts'
import { buildTransferRequest, WORLD_START } from '../../netlify/testing/world.ts'
import { type CommandOptions, runCommand } from './commands.ts'
import { addSignature } from './testing/addSignature.ts'

resetWorldForEachTest()

const BUCKET = 'demo-passerelle.firebasestorage.app'
const run = async (command: string, options: CommandOptions = {}) => {
  const words = command.split(' ')
  return (await runCommand(world.context, words, addSignature(words, options))).lines
}

let count = 0
beforeEach(() => {
  count = 0
})

async function submit(uid: string, changes: Record<string, unknown> = {}): Promise<string> {
  count += 1
  const id = `${WORLD_START + count}-0f8fad5b-d9cb-469f-a165-70867728950${count}`
  await world.context.db.doc(`files/${id}`).set({
    ...{ userId: uid, category: 'identity', status: 'pending', createdAt: new Date(WORLD_START) },
    ...{ fileName: 'passeport.png', fileType: 'image/png', fileSize: 7 },
    downloadUrl: `https://firebasestorage.googleapis.com/v0/b/${BUCKET}/o/identity%2F${uid}%2F${id}?alt=media&token=a1`,
    ...{ fullName: 'Aïssatou Diallo', idType: 'passport', idNumber: 'O00123456' },
    ...{ issuedBy: 'République de Guinée', expirationDate: '2035-01-31', dateOfBirth: '1990-05-17' },
    ...changes,
  })
  return id
}

const readFile = async (id: string) => (await world.context.db.doc(`files/${id}`).get()).data()

test('documents that wait are listed oldest first by server time', async () => {
  expect(await run('identity list')).toEqual(['No document waits for a decision.'])
  const first = await submit('ada', { createdAt: new Date(WORLD_START + MINUTE) })
  // The time in the ID is that of the user's device.
  const second = await submit('bea', { idType: 'national_id' })
  await submit('cleo', { status: 'rejected' })
  expect(await run('identity list')).toEqual([
    'Documents that wait for a decision: 2.',
    `${second}: national_id of user bea, handed in at 2026-11-20 12:00:00 UTC.`,
    `${first}: passport of user ada, handed in at 2026-11-20 12:01:00 UTC.`,
  ])
})

test('a document that can’t be read hides no other one', async () => {
  const broken = await submit('ada', { idType: 'library card' })
  const id = await submit('bea')
  const [, first, second] = await run('identity list')
  expect(first).toMatch(new RegExp(`^${broken}: can't be read \\(.*idType.*\\)`))
  expect(second).toBe(`${id}: passport of user bea, handed in at 2026-11-20 12:00:00 UTC.`)
})

test('any number of deleted accounts hides no document that waits', async () => {
  const batch = world.context.db.batch()
  for (let i = 0; i < 120; i += 1)
    batch.set(world.context.db.doc(`files/0000-${i}`), {
      userId: 'gone',
      category: 'identity',
      status: 'pending',
    })
  await batch.commit()
  await closeIdentityReviews(world.context, 'gone')
  const id = await submit('ada')
  const [, line] = await run('identity list')
  expect(line).toContain(id)
})

test('an approval lets the user send more, and is recorded', async () => {
  world.requireIdentityAbove(0)
  const uid = await world.person()
  const id = await submit(uid)
  expect(await startTransferPayment(buildTransferRequest(uid))).toMatchObject({
    error: { code: 'identityRequired', details: { document: 'pending' } },
  })
  expect(await run(`identity approve ${id}`)).toEqual([`The passport of user ${uid} is approved.`])
  await expectTransferPaymentStarted(buildTransferRequest(uid))
  expect(await run(`identity show ${id}`)).toEqual([
    `${id} was handed in by user ${uid} at 2026-11-20 12:00:00 UTC.`,
    'It is approved.',
    'Name: Aïssatou Diallo. Born: 1990-05-17.',
    'Document: passport O00123456, issued by République de Guinée, expires 2035-01-31.',
    `Its file is identity/${uid}/${id} in the bucket (image/png).`,
    expect.stringMatching(
      new RegExp(`: 2026-11-20 12:00:00 UTC, Awa: identity approve ${id} \\(a test\\)\\.$`),
    ),
  ])
})

test('a rejection names part and reason until a later decision', async () => {
  world.requireIdentityAbove(0)
  const uid = await world.person()
  const id = await submit(uid)
  await run(`identity reject ${id}`, { reason: 'La photo\n est floue.', item: 'document' })
  expect(await readFile(id)).toMatchObject({
    ...{ status: 'rejected', rejectedItem: 'document', rejectionReason: 'La photo est floue.' },
  })
  expect(await run(`identity show ${id}`)).toContain(
    'It is rejected (document, because: La photo est floue.).',
  )
  await run(`identity reject ${id}`, { reason: 'Tout est illisible.' })
  expect(await readFile(id)).not.toHaveProperty('rejectedItem')
  await run(`identity approve ${id}`)
  expect(await readFile(id)).toMatchObject({ status: 'approved' })
  expect(await readFile(id)).not.toHaveProperty('rejectionReason')
  await run(`identity reject ${id}`, { reason: 'Le document est faux.' })
  expect(await startTransferPayment(buildTransferRequest(uid))).toMatchObject({
    error: { code: 'identityRequired', details: { document: 'rejected' } },
  })
})

test.each([
  ['an unknown submission', 'none', {}, 'there is no submission'],
  ['an expired document', 'ada', { expirationDate: '2026-11-20' }, 'has expired'],
  ['a user who is not born', 'ada', { dateOfBirth: '2026-11-20' }, 'birth is in the future'],
  ['a day that does not exist', 'ada', { dateOfBirth: '1990-02-30' }, 'a date is impossible'],
  ['a document without a number', 'ada', { idNumber: '' }, 'a detail is missing'],
  ['a document of a deleted account', 'gone', {}, 'the account is deleted'],
])('the approval of %s is refused', async (_, uid, changes, reason) => {
  await world.context.db.doc('deletions/gone').set({ uid: 'gone', status: 'kept', createdAt: WORLD_START })
  const id =
    uid === 'none' ? `${WORLD_START}-0f8fad5b-d9cb-469f-a165-708677289500` : await submit(uid, changes)
  await expect(run(`identity approve ${id}`)).rejects.toThrow(`Nothing was changed: `)
  await expect(run(`identity approve ${id}`)).rejects.toThrow(reason)
  expect((await readFile(id))?.status).not.toBe('approved')
})

test.each([
  [{ reason: 'Flou', item: 'photo' }, 'ITEM is one of: document, details'],
  [{ reason: '\u202e…' }, 'TEXT must tell the user why'],
  [{}, 'Usage: '],
])('a rejection with the options %j is refused', async (options, message) => {
  const id = await submit('ada')
  await expect(run(`identity reject ${id}`, options)).rejects.toThrow(message)
  expect((await readFile(id))?.status).toBe('pending')
})

test('a document is exported to a file that only its operator reads', async () => {
  const id = await submit('ada')
  const folder = mkdtempSync(join(tmpdir(), 'identity-'))
  const path = join(folder, 'passport.png')
  await expect(run(`identity export ${id}`, { export: path })).rejects.toThrow('The storage has no document')
  expect(existsSync(path)).toBe(false)
  const address = `${world.origin}/v0/b/${BUCKET}/o?name=${encodeURIComponent(`identity/ada/${id}`)}`
  const body = `--x\r\ncontent-type: application/json\r\n\r\n{}\r\n--x\r\ncontent-type: image/png\r\n\r\na scan\r\n--x--`
  const headers = {
    authorization: 'Bearer owner',
    'x-goog-upload-protocol': 'multipart',
    'content-type': 'multipart/related; boundary=x',
  }
  expect(await (await fetch(address, { method: 'POST', headers, body })).json()).toHaveProperty('name')
  await run(`identity export ${id}`, { export: path })
  expect(readFileSync(path, 'utf8')).toBe('a scan')
  expect(statSync(path).mode & 0o777).toBe(0o600)
  await expect(run(`identity export ${id}`, { export: path })).rejects.toThrow("can't be created")
})

describe('approving a document', () => {
  beforeEach(() => {
    enableSimulatedProvider()
    world.requireIdentityAbove(30_000)
  })
  const causes = ['identityOfCard']
  const send = async () => {
    const uid = await world.person()
    const expected = { fee: 900, converted: 29_100 * 106 }
    const request = buildTransferRequest(uid, { amount: 30_000, expected })
    const started = await createPaymentIntent(world.context, world.getCaller(uid), request)
    const id = started.ok ? started.value.paymentIntentId : ''
    await world.pay(id)
    await recordPayment(uid, request.attemptId)
    return { uid, id }
  }

  test('approving a document releases what its user sent, nothing else', async () => {
    await send()
    const [mine, theirs] = [await send(), await send()]
    for (const { id } of [mine, theirs]) expect(await readOrder(id)).toMatchObject({ holds: causes })
    expect(await run(`identity approve ${await submit(mine.uid)}`)).toEqual([
      `The passport of user ${mine.uid} is approved.`,
      `${mine.id} no longer waits for a document.`,
    ])
    expect(await readOrder(mine.id)).toMatchObject({ state: 'due', holds: [] })
    expect(await readOrder(theirs.id)).toMatchObject({ state: 'held', holds: causes })
  })

  test('a document releases nothing of the person’s other account', async () => {
    await send()
    const mine = await send()
    const next = await world.moveNumber(mine.uid)
    expect(await run(`identity approve ${await submit(next)}`)).toEqual([
      `The passport of user ${next} is approved.`,
    ])
    expect(await readOrder(mine.id)).toMatchObject({ state: 'held', holds: causes })
  })
})
