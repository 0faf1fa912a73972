import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { buildIdentityFileSchema, submittedIdentitySchema } from '../account/identitySchema.ts'
import {
  buildOwnershipSchema,
  buildProfileSchema,
  buildProfileSubscriptionSchema,
  ledgerSchema,
} from '../account/profileSchema.ts'
import { buildInvoicePaymentSchema } from '../invoices/invoiceSchema.ts'
import { buildContactSchema } from '../people/contactSchema.ts'
import { EMPTY_SUBSCRIPTION } from '../prices/plans.ts'
import { buildTransactionSchema } from './shapes/transactionSchema.ts'
import { ARRIVED_DELIVERY, SENT_TRANSFER } from './transaction.samples.ts'

/** Stands for the timestamp class of an SDK. */
class Stamp {
  readonly ms: number
  constructor(ms: number) {
    this.ms = ms
  }
}
const instant = v.pipe(
  v.instance(Stamp),
  v.transform(({ ms }) => ms),
)
const NOON = Date.UTC(2026, 10, 20, 12)

const BASIC = {
  tier: 'basic',
  status: 'active',
  transactionsLeft: 1,
  startDate: new Stamp(NOON),
  lastReset: new Stamp(NOON + 1),
  stripeSubscriptionId: 'sub_1',
  cancelAt: null,
}
const READ = { ...BASIC, startDate: NOON, lastReset: NOON + 1 }

describe('profileSubscriptionSchema', () => {
  const read = v.parser(buildProfileSubscriptionSchema(instant))

  test('converts the subscription’s instants to milliseconds', () => {
    expect(read(BASIC)).toEqual(READ)
    expect(read({ ...BASIC, renewalFailed: true })).toEqual({ ...READ, renewalFailed: true })
  })

  test.each([[undefined], [null], ['premium'], [7], [[]], [{}]])(
    'reads a missing or invalid subscription as empty: %j',
    (stored) => {
      expect(read(stored)).toStrictEqual(EMPTY_SUBSCRIPTION)
    },
  )

  test.each([
    ['tier', 'gold'],
    ['tier', 'constructor'],
    ['tier', ['basic']],
    ['status', 'trialing'],
    ['status', true],
    ['transactionsLeft', '5'],
    ['transactionsLeft', 1.5],
    ['transactionsLeft', Number.POSITIVE_INFINITY],
    ['startDate', 'soon'],
    ['lastReset', { seconds: 1 }],
    ['stripeSubscriptionId', 7],
    ['cancelAt', 1],
  ])('reads an invalid %s of a subscription as null: %j', (field, value) => {
    expect(read({ ...BASIC, [field]: value })).toStrictEqual({ ...READ, [field]: null })
  })

  test('reads a renewal’s confirmation page only if it is on the web', () => {
    const page = 'https://invoice.example'
    const stored = (url: unknown, keptUntil: unknown = null) => ({
      ...BASIC,
      renewalFailed: true,
      confirmation: { url, keptUntil },
    })
    expect(read(stored(page, BASIC.startDate))).toEqual({
      ...READ,
      renewalFailed: true,
      confirmation: { url: page, keptUntil: NOON },
    })
    expect(read(stored(page))).toMatchObject({ confirmation: { url: page, keptUntil: null } })
    for (const url of ['javascript:alert(1)', 7, null])
      expect(read(stored(url))).toStrictEqual({ ...READ, renewalFailed: true })
  })

  test.each([['yes'], [1], [false], [null]])(
    'does not read the renewal as failed from the invalid value %j',
    (renewalFailed) => {
      expect(read({ ...BASIC, renewalFailed })).toStrictEqual(READ)
    },
  )
})

describe('profileSchema', () => {
  test('reads invalid fields of a profile as empty', () => {
    const nobody = { email: null, name: '', phone: null, subscription: EMPTY_SUBSCRIPTION }
    const stored = { email: 7, name: null, phone: {}, subscription: 'none' }
    expect(v.parse(buildProfileSchema(instant), stored)).toEqual(nobody)
  })

  test.each([
    [{}, { madeWith: 'address', verifiedAddress: null, sessionsSince: null }],
    [
      { madeWith: 'phone', email: 'a@b.c', sessionsSince: new Stamp(7) },
      { madeWith: 'phone', sessionsSince: 7 },
    ],
    [{ madeWith: 'letter' }, { madeWith: 'address' }],
    [{ verifiedAddress: ['a@b.c'] }, { verifiedAddress: null }],
  ])('reads the ownership of the profile %j as %j', (stored, expected) => {
    expect(v.parse(buildOwnershipSchema(instant), stored)).toMatchObject(expected)
  })

  test('rejects the ownership of a profile with an invalid `sessionsSince`', () => {
    const { issues } = v.safeParse(buildOwnershipSchema(instant), { sessionsSince: 'a while ago' })
    expect(issues?.map((issue) => v.getDotPath(issue))).toEqual(['sessionsSince'])
  })
})

const STORED = {
  ...SENT_TRANSFER,
  createdAt: new Stamp(SENT_TRANSFER.createdAt),
  settledAt: new Stamp(SENT_TRANSFER.createdAt),
  estimatedArrival: new Stamp(SENT_TRANSFER.estimatedArrival),
}

describe('transactionSchema', () => {
  const schema = buildTransactionSchema(instant)

  test('converts the transfer’s instants to milliseconds', () => {
    expect(v.parse(schema, { ...STORED, more: 1 })).toEqual(SENT_TRANSFER)
  })

  test.each([
    ['type', 'refund', { type: 'sent' }],
    ['type', 'received', { type: 'received' }],
    ['status', 7, { status: '' }],
    ['receivingMethod', 'a_wallet_of_tomorrow', { receivingMethod: 'a_wallet_of_tomorrow' }],
    ['receivingMethod', 7, { receivingMethod: null }],
    ['couponCode', 7, { couponCode: null }],
    ['delivery', ARRIVED_DELIVERY, { delivery: ARRIVED_DELIVERY }],
    ['delivery', { ...ARRIVED_DELIVERY, stage: 'a_stage_of_tomorrow' }, { delivery: null }],
    [
      'delivery',
      { ...ARRIVED_DELIVERY, failure: 'a_reason_of_tomorrow', more: 1 },
      { delivery: ARRIVED_DELIVERY },
    ],
    [
      'delivery',
      { ...ARRIVED_DELIVERY, by: 'somebody_of_tomorrow' },
      { delivery: { ...ARRIVED_DELIVERY, by: 'somebody_of_tomorrow' } },
    ],
    ['delivery', { stage: 'delivered' }, { delivery: null }],
    ['delivery', 'delivered', { delivery: null }],
    ['promisedMinutes', 15, { promisedMinutes: 15 }],
    ['promisedMinutes', 'soon', { promisedMinutes: null }],
    ['recipientLink', '/t/pi_1.1.x', { recipientLink: '/t/pi_1.1.x' }],
    ['recipientLink', 7, { recipientLink: null }],
  ])('reads a transfer whose %s is %j as one with %j', (field, value, expected) => {
    expect(v.parse(schema, { ...STORED, [field]: value })).toEqual({ ...SENT_TRANSFER, ...expected })
  })

  test.each([
    ['amount', '145.5'],
    ['amount', Number.NaN],
    ['fees', null],
    ['sourceCurrency', 'GNF'],
    ['destinationCurrency', 'XOF'],
    ['destination', { ...SENT_TRANSFER.destination, code: 'SN' }],
    ['recipientPhone', undefined],
    ['senderId', undefined],
    ['createdAt', undefined],
    ['createdAt', 1],
    ['settledAt', 'soon'],
    ['settledAt', '2026-11-20T12:00:00.000Z'],
    ['settledAt', undefined],
    ['estimatedArrival', undefined],
  ])('rejects a transfer whose required %s is %j', (field, value) => {
    expect(v.is(schema, { ...STORED, [field]: value })).toBe(false)
  })
})

describe('invoicePaymentSchema', () => {
  const PAID = {
    ...{
      id: 'pi_1',
      payerId: 'ana',
      payerName: 'Ana',
      supplier: 'edf',
      reference: '6012-1001',
      type: 'electricity',
    },
    ...{ amount: 84.5, currency: 'EUR', dueDate: '2026-11-30', status: 'completed', description: 'x' },
    ...{ paymentMethod: 'card', createdAt: new Stamp(1), settledAt: new Stamp(2) },
  }
  const schema = buildInvoicePaymentSchema(instant)

  test('accepts an invoice payment without a description', () => {
    expect(v.parse(schema, PAID)).toEqual({ ...PAID, createdAt: 1, settledAt: 2 })
    expect(v.parse(schema, { ...PAID, description: undefined })).toEqual({
      ...{ ...PAID, createdAt: 1, settledAt: 2, description: '' },
    })
  })

  test.each([
    ['amount', '84.5'],
    ['currency', 'USD'],
    ['type', 'gas'],
    ['dueDate', null],
    ['createdAt', null],
  ])('rejects an invoice payment whose required %s is %j', (field, value) => {
    expect(v.is(schema, { ...PAID, [field]: value })).toBe(false)
  })
})

test('requires integers in a month’s ledger', () => {
  const counted = { month: '2026-11', recordedCents: 500, reservedCents: 0, reservedSlots: 0 }
  expect(v.parse(ledgerSchema, { uid: 'u', ...counted })).toEqual(counted)
  for (const recordedCents of ['500', 0.5, Number.NaN, undefined])
    expect(v.is(ledgerSchema, { ...counted, recordedCents })).toBe(false)
})

describe('contactSchema', () => {
  const MARIAMA = { id: 'c1', userId: 'u', name: 'Mariama', phone: '+224620000000', createdAt: new Stamp(5) }
  const schema = buildContactSchema(instant)

  test.each([
    [{}, {}],
    [{ name: undefined }, { name: '+224 620 00 00 00' }],
    [{ phone: ' +224 620 00 00 00' }, {}],
    [{ createdAt: undefined }, { createdAt: 0 }],
  ])('reads a contact with %j as one with %j', (change, expected) => {
    expect(v.parse(schema, { ...MARIAMA, ...change })).toEqual({ ...MARIAMA, createdAt: 5, ...expected })
  })

  test.each([[{ phone: 'soon' }], [{ phone: 224620000000 }], [{ userId: undefined }]])(
    'rejects a contact with %j',
    (change) => {
      expect(v.is(schema, { ...MARIAMA, ...change })).toBe(false)
    },
  )
})

describe('identity schemas', () => {
  test('reads an identity file’s safe fields, with an unknown status as pending', () => {
    const stored = { id: 'f1', status: 'lost', rejectedItem: 'photo', downloadUrl: 'x' }
    expect(v.parse(buildIdentityFileSchema(instant), stored)).toEqual({
      id: 'f1',
      fileName: 'document',
      status: 'pending',
      rejectedItem: null,
      rejectionReason: '',
      expirationDate: '',
      createdAt: 0,
    })
  })

  test.each(['2035-02-31', 'unlimited', 2035])('reads the expiration %j as unreadable', (expirationDate) => {
    const file = v.parse(buildIdentityFileSchema(instant), { id: 'f1', expirationDate })
    expect(file.expirationDate).toBe('')
  })

  test('reads a submitted identity only if it is complete', () => {
    const whole = {
      ...{ fullName: 'Awa', idType: 'passport', idNumber: '1', issuedBy: 'GN' },
      ...{ expirationDate: '2030-01-01', dateOfBirth: '1990-01-01' },
      ...{ fileName: 'a.png', fileType: 'image/png', fileSize: 7, downloadUrl: 'x' },
    }
    expect(v.parse(submittedIdentitySchema, { ...whole, userId: 'u' })).toEqual(whole)
    expect(v.is(submittedIdentitySchema, { ...whole, idType: 'library_card' })).toBe(false)
    expect(v.is(submittedIdentitySchema, undefined)).toBe(false)
  })
})
