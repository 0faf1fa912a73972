import { describe, expect, test } from 'vitest'
import { EMPTY_SUBSCRIPTION } from '../plans.ts'
import { parseOrNull, ValidationError } from '../schema.ts'
import { DELIVERED, SENT } from '../transaction.samples.ts'
import { contactSchema } from './contact.ts'
import { identityFileSchema, submittedIdentitySchema } from './identity.ts'
import { instantWith } from './instant.ts'
import { invoicePaymentSchema } from './invoice.ts'
import { ledgerSchema, ownershipSchema, profileSchema, profileSubscriptionSchema } from './profile.ts'
import { transactionSchema } from './transaction.ts'

/** As an SDK has timestamps. */
class Stamp {
  readonly ms: number
  constructor(ms: number) {
    this.ms = ms
  }
}
const instant = instantWith((value) => (value instanceof Stamp ? value.ms : null))
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

describe('the subscription of a profile', () => {
  const read = profileSubscriptionSchema(instant)

  test('has its instants in milliseconds', () => {
    expect(read(BASIC)).toEqual(READ)
    expect(read({ ...BASIC, renewalFailed: true })).toEqual({ ...READ, renewalFailed: true })
  })

  test.each([[undefined], [null], ['premium'], [7], [[]], [{}]])(
    'that is lost or none is empty: %j',
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
  ])('has nothing for a %s that nobody of ours has written: %j', (field, value) => {
    expect(read({ ...BASIC, [field]: value })).toStrictEqual({ ...READ, [field]: null })
  })

  test.each([['yes'], [1], [false], [null]])(
    'has failed to renew only when it says so: %j',
    (renewalFailed) => {
      expect(read({ ...BASIC, renewalFailed })).toStrictEqual(READ)
    },
  )
})

describe('a profile', () => {
  test('with something else in its fields is one without them', () => {
    const nobody = { email: null, name: '', phone: null, subscription: EMPTY_SUBSCRIPTION }
    expect(profileSchema(instant)({ email: 7, name: null, phone: {}, subscription: 'none' })).toEqual(nobody)
  })

  test.each([
    [{}, { madeWith: 'address', verifiedAddress: null, sessionsSince: null }],
    [
      { madeWith: 'phone', email: 'a@b.c', sessionsSince: new Stamp(7) },
      { madeWith: 'phone', sessionsSince: 7 },
    ],
    [{ madeWith: 'letter' }, { madeWith: 'address' }],
    [{ verifiedAddress: ['a@b.c'] }, { verifiedAddress: null }],
  ])('says who the account belongs to: %j', (stored, expected) => {
    expect(ownershipSchema(instant)(stored)).toMatchObject(expected)
  })

  test('lets nobody in whose sessions may have ended', () => {
    expect(() => ownershipSchema(instant)({ sessionsSince: 'a while ago' })).toThrow(
      new ValidationError('sessionsSince'),
    )
  })
})

const STORED = {
  ...SENT,
  createdAt: new Stamp(SENT.createdAt),
  settledAt: new Stamp(SENT.createdAt),
  estimatedArrival: new Stamp(SENT.estimatedArrival),
}

describe('a transfer', () => {
  const read = transactionSchema(instant)

  test('has its instants in milliseconds', () => {
    expect(read({ ...STORED, more: 1 })).toEqual(SENT)
  })

  test.each([
    ['type', 'refund', { type: 'sent' }],
    ['type', 'received', { type: 'received' }],
    ['status', 7, { status: '' }],
    ['receivingMethod', 'a_wallet_of_tomorrow', { receivingMethod: 'a_wallet_of_tomorrow' }],
    ['receivingMethod', 7, { receivingMethod: null }],
    ['couponCode', 7, { couponCode: null }],
    ['delivery', DELIVERED, { delivery: DELIVERED }],
    ['delivery', { ...DELIVERED, stage: 'a_stage_of_tomorrow' }, { delivery: null }],
    ['delivery', { ...DELIVERED, failure: 'a_reason_of_tomorrow', more: 1 }, { delivery: DELIVERED }],
    [
      'delivery',
      { ...DELIVERED, by: 'somebody_of_tomorrow' },
      { delivery: { ...DELIVERED, by: 'somebody_of_tomorrow' } },
    ],
    ['delivery', { stage: 'delivered' }, { delivery: null }],
    ['delivery', 'delivered', { delivery: null }],
    ['promisedMinutes', 15, { promisedMinutes: 15 }],
    ['promisedMinutes', 'soon', { promisedMinutes: null }],
    ['recipientLink', '/t/pi_1.1.x', { recipientLink: '/t/pi_1.1.x' }],
    ['recipientLink', 7, { recipientLink: null }],
  ])('with a %s %j', (field, value, expected) => {
    expect(read({ ...STORED, [field]: value })).toEqual({ ...SENT, ...expected })
  })

  test.each([
    ['amount', '145.5'],
    ['amount', Number.NaN],
    ['fees', null],
    ['sourceCurrency', 'GNF'],
    ['destinationCurrency', 'XOF'],
    ['destination', { ...SENT.destination, code: 'SN' }],
    ['recipientPhone', undefined],
    ['senderId', undefined],
    ['createdAt', undefined],
    ['createdAt', 1],
    ['settledAt', 'soon'],
    ['settledAt', '2026-11-20T12:00:00.000Z'],
    ['settledAt', undefined],
    ['estimatedArrival', undefined],
  ])('is none without a %s that makes it: %j', (field, value) => {
    expect(parseOrNull(read, { ...STORED, [field]: value })).toBe(null)
  })
})

describe('an invoice that was paid', () => {
  const PAID = {
    ...{ id: 'pi_1', payerId: 'ana', supplier: 'edf', reference: '6012-1001', type: 'electricity' },
    ...{ amount: 84.5, currency: 'EUR', dueDate: '2026-11-30', status: 'completed', description: 'x' },
    ...{ paymentMethod: 'card', createdAt: new Stamp(1), settledAt: new Stamp(2) },
  }
  const read = invoicePaymentSchema(instant)

  test('may lack what only describes it', () => {
    expect(read(PAID)).toEqual({ ...PAID, createdAt: 1, settledAt: 2 })
    expect(read({ ...PAID, description: undefined })).toEqual({
      ...{ ...PAID, createdAt: 1, settledAt: 2, description: '' },
    })
  })

  test.each([
    ['amount', '84.5'],
    ['currency', 'USD'],
    ['type', 'gas'],
    ['dueDate', null],
    ['createdAt', null],
  ])('is none without a %s that makes it: %j', (field, value) => {
    expect(parseOrNull(read, { ...PAID, [field]: value })).toBe(null)
  })
})

test('the counts of a month are whole numbers', () => {
  const counted = { month: '2026-11', recordedCents: 500, reservedCents: 0, reservedSlots: 0 }
  expect(ledgerSchema({ uid: 'u', ...counted })).toEqual(counted)
  for (const recordedCents of ['500', 0.5, Number.NaN, undefined])
    expect(parseOrNull(ledgerSchema, { ...counted, recordedCents })).toBe(null)
})

describe('a contact', () => {
  const MARIAMA = { id: 'c1', userId: 'u', name: 'Mariama', phone: '+224620000000', createdAt: new Stamp(5) }
  const read = contactSchema(instant)

  test.each([
    [{}, {}],
    [{ name: undefined }, { name: '+224 620 00 00 00' }],
    [{ phone: ' +224 620 00 00 00' }, {}],
    [{ createdAt: undefined }, { createdAt: 0 }],
  ])('with %j', (change, expected) => {
    expect(read({ ...MARIAMA, ...change })).toEqual({ ...MARIAMA, createdAt: 5, ...expected })
  })

  test.each([[{ phone: 'soon' }], [{ phone: 224620000000 }], [{ userId: undefined }]])(
    'is none with %j',
    (change) => {
      expect(parseOrNull(read, { ...MARIAMA, ...change })).toBe(null)
    },
  )
})

describe('an identity file', () => {
  test('tells what is safe to show, and waits while its status says nothing', () => {
    expect(
      identityFileSchema(instant)({ id: 'f1', status: 'lost', rejectedItem: 'photo', downloadUrl: 'x' }),
    ).toEqual({
      id: 'f1',
      fileName: 'document',
      status: 'pending',
      rejectedItem: null,
      rejectionReason: '',
      createdAt: 0,
    })
  })

  test('is handed in once more only as a whole', () => {
    const whole = {
      ...{ fullName: 'Awa', idType: 'passport', idNumber: '1', issuedBy: 'GN' },
      ...{ expirationDate: '2030-01-01', dateOfBirth: '1990-01-01' },
      ...{ fileName: 'a.png', fileType: 'image/png', fileSize: 7, downloadUrl: 'x' },
    }
    expect(submittedIdentitySchema({ ...whole, userId: 'u' })).toEqual(whole)
    expect(parseOrNull(submittedIdentitySchema, { ...whole, idType: 'library_card' })).toBe(null)
    expect(parseOrNull(submittedIdentitySchema, undefined)).toBe(null)
  })
})
