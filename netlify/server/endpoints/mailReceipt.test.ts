import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { MINUTE } from '../../../domain/common/duration.ts'
import { ok } from '../../../domain/common/result.ts'
import { readPdf } from '../../../print/testing/readPdf.ts'
import { payTransfer } from '../../testing/deliveries.ts'
import { recordPayment, resetWorldForEachTest, world } from '../../testing/emptyWorld.ts'
import {
  buildInvoiceRequest,
  INVOICE,
  startInvoicePaymentOrThrow,
  storeInvoice,
} from '../../testing/invoices.ts'
import type { MailSettings } from '../platform/settings.ts'
import { createReceiptMailing } from './mailReceipt.ts'
import { FUNCTIONS } from './registry.ts'

resetWorldForEachTest()

let mail: MailSettings
beforeAll(async () => {
  const server = await world.sandbox.smtp.listen()
  const operator = { name: 'Passerelle SA', licence: 'établissement 00000', complaints: 'x@y.example' }
  mail = { server, from: 'recus@passerelle.example', operator }
})
afterAll(() => world.sandbox.smtp.close())

let paid: Awaited<ReturnType<typeof payTransfer>>
beforeEach(async () => {
  paid = await payTransfer()
  giveAddress(paid.uid, { email: 'ada@example.com', emailVerified: true })
})

function giveAddress(uid: string, address: { email: string; emailVerified: boolean }) {
  const data = world.sandbox.auth.dump()
  const accounts = data.accounts.map((one) => (one.localId === uid ? { ...one, ...address } : one))
  world.sandbox.auth.load({ ...data, accounts })
}

async function mailReceipt(change: object = {}, settings: MailSettings | null = mail, uid = paid.uid) {
  const body = {
    id: paid.id,
    press: crypto.randomUUID(),
    language: 'fr',
    timeZone: 'Africa/Conakry',
    ...change,
  }
  return world.invoke('mail-receipt', body, {
    token: await world.token(uid),
    as: { ...world.context, mail: settings },
  })
}

const readTransfer = async () => (await world.context.db.doc(`transactions/${paid.id}`).get()).data()
const sent = () => world.sandbox.smtp.mails()

const getMailedPdf = () => new Blob([new Uint8Array(sent()[0]?.attachments[0]?.content ?? [])])

test.each([
  ['fr', 'Passerelle\u00a0: Reçu de transfert', 'Le reçu de votre paiement'],
  ['en', 'Passerelle: Transfer receipt', 'The receipt of your payment'],
])('a receipt in %s goes as PDF to the verified address', async (language, subject, text) => {
  const before = await readTransfer()
  expect(await mailReceipt({ language })).toEqual({ status: 200, body: { address: 'ada@example.com' } })
  const [one, ...others] = sent()
  expect(others).toEqual([])
  expect(one).toMatchObject({ from: 'recus@passerelle.example', to: ['ada@example.com'], subject })
  expect(one?.text).toContain(`${text} ${paid.id}`)
  const [pdf] = one?.attachments ?? []
  expect(pdf).toMatchObject({ name: `receipt-${paid.id}.pdf`, type: 'application/pdf' })
  expect(pdf?.content.subarray(0, 5).toString()).toBe('%PDF-')
  expect(await readTransfer()).toEqual(before)
})

test.each([
  ['America/Toronto', '07:00 UTC−5'],
  ['Europe/Paris', '13:00 UTC+1'],
  ['Mars/Olympus', '12:00 UTC'],
])('a receipt mailed to a device in %s states times like %s', async (timeZone, time) => {
  await mailReceipt({ timeZone })
  const { text } = await readPdf(getMailedPdf())
  expect(text).toContain(`20 novembre 2026 à ${time}`)
})

test('only another press sends a second mail', async () => {
  const press = crypto.randomUUID()
  const answer = { status: 200, body: { address: 'ada@example.com' } }
  expect(await mailReceipt({ press })).toEqual(answer)
  expect(await mailReceipt({ press })).toEqual(answer)
  expect(sent()).toHaveLength(1)
  await mailReceipt()
  expect(sent()).toHaveLength(2)
  expect(new Set(sent().map(({ messageId }) => messageId)).size).toBe(2)
})

test('a repeated request learns the final failure, another press mails', async () => {
  const press = crypto.randomUUID()
  const failed = { status: 502, body: { code: 'mailNotSent' } }
  world.sandbox.smtp.refuseNext(421, 451, 421)
  expect(await mailReceipt({ press })).toMatchObject(failed)
  expect(await mailReceipt({ press })).toMatchObject(failed)
  expect(world.sandbox.smtp.tries()).toBe(3)
  expect(sent()).toEqual([])
  expect(await mailReceipt()).toMatchObject({ status: 200 })
  expect(sent()).toHaveLength(1)
})

test('a repeated request waits, unless the host ended the first', async () => {
  const press = crypto.randomUUID()
  const repeated: unknown[] = []
  const respond = createReceiptMailing(() => async () => {
    repeated.push(await mailReceipt({ press }))
    world.pass(MINUTE)
    repeated.push(await mailReceipt({ press }))
    return ok(null)
  })
  const request = { id: paid.id, press, language: 'fr', timeZone: 'UTC' } as const
  await respond({ ...world.context, mail }, { uid: paid.uid }, request, world.origin)
  expect(repeated).toMatchObject([
    { status: 429, body: { code: 'tooManyRequests', details: { retryAfterSeconds: 60 } } },
    { status: 502, body: { code: 'mailNotSent' } },
  ])
  expect(await mailReceipt({ press })).toMatchObject({ status: 200 })
  expect(sent()).toEqual([])
})

test('three failed tries leave the transfer as it is', async () => {
  const before = await readTransfer()
  world.sandbox.smtp.refuseNext(421, 451)
  expect(await mailReceipt()).toMatchObject({ status: 200 })
  expect(world.sandbox.smtp.tries()).toBe(3)
  world.sandbox.smtp.refuseNext(421, 451, 421)
  expect(await mailReceipt()).toMatchObject({ status: 502, body: { code: 'mailNotSent' } })
  expect(world.sandbox.smtp.tries()).toBe(6)
  expect(sent()).toHaveLength(1)
  expect(await readTransfer()).toEqual(before)
  expect(world.logged).toContainEqual({
    level: 'error',
    event: 'mailNotSent',
    paymentIntentId: paid.id,
    code: 421,
  })
  expect(JSON.stringify(world.logged)).not.toMatch(/ada@|recus@/)
})

test('a mail that the server refuses for good is not tried again', async () => {
  world.sandbox.smtp.refuseNext(550)
  expect(await mailReceipt()).toMatchObject({ status: 502, body: { code: 'mailNotSent' } })
  expect(world.sandbox.smtp.tries()).toBe(1)
})

test('a mail server that does not answer fails the mail', async () => {
  const unreachable = { ...mail, server: 'smtp://127.0.0.1:1' }
  expect(await mailReceipt({}, unreachable)).toMatchObject({ status: 502, body: { code: 'mailNotSent' } })
})

test('the receipt of a paid invoice is mailed to its payer only', async () => {
  await storeInvoice()
  const request = buildInvoiceRequest()
  const { paymentIntentId: id } = await startInvoicePaymentOrThrow(paid.uid, request)
  await world.pay(id)
  await recordPayment(paid.uid, request.attemptId)
  const other = await world.person()
  giveAddress(other, { email: 'eve@example.com', emailVerified: true })
  expect(await mailReceipt({ id }, mail, other)).toMatchObject({ status: 403, body: { code: 'forbidden' } })
  expect(await mailReceipt({ id })).toEqual({ status: 200, body: { address: 'ada@example.com' } })
  expect(sent()).toMatchObject([{ to: ['ada@example.com'], subject: 'Passerelle\u00a0: Reçu de facture' }])
  const { text } = await readPdf(getMailedPdf())
  expect(text).toContain(INVOICE.reference)
})

test('only the sender of a transfer gets its receipt', async () => {
  const other = await world.person()
  giveAddress(other, { email: 'eve@example.com', emailVerified: true })
  expect(await mailReceipt({}, mail, other)).toMatchObject({ status: 403, body: { code: 'forbidden' } })
  expect(await mailReceipt({ id: 'pi_none' })).toMatchObject({ status: 404 })
  expect(await mailReceipt({ address: 'eve@example.com' })).toMatchObject({ status: 400 })
  expect(sent()).toEqual([])
})

test('an account without a verified address gets no mail', async () => {
  giveAddress(paid.uid, { email: 'ada@example.com', emailVerified: false })
  expect(await mailReceipt()).toMatchObject({ status: 403, body: { code: 'emailUnverified' } })
  expect(sent()).toEqual([])
})

test.each(['a,eve@example.com', '"x"<eve@example.com>', 'ada@example.com\r\nBcc:eve@example.com'])(
  'the address %j reaches nobody, because it could name several',
  async (email) => {
    giveAddress(paid.uid, { email, emailVerified: true })
    expect(await mailReceipt()).toMatchObject({ status: 502, body: { code: 'mailNotSent' } })
    expect(world.sandbox.smtp.tries()).toBe(0)
  },
)

test('without mail settings the function refuses', async () => {
  expect(await mailReceipt({}, null)).toMatchObject({ status: 503, body: { code: 'mailUnavailable' } })
})

test('a user gets as many receipts as the limit allows', async () => {
  const { most } = FUNCTIONS['mail-receipt']
  for (let count = 0; count < most; count += 1) expect(await mailReceipt()).toMatchObject({ status: 200 })
  expect(await mailReceipt()).toMatchObject({ status: 429, body: { code: 'tooManyRequests' } })
})
