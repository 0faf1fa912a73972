import fc from 'fast-check'
import { afterEach, describe, expect, test } from 'vitest'
import { initialTransition, transition } from 'xstate'
import { EMPTY_SUBSCRIPTION } from '../../domain/prices/plans.ts'
import { identityUploadMachine } from '../../machines/identityUpload.ts'
import { popupQueueMachine } from '../../machines/popupQueue.ts'
import { sessionMachine } from '../../machines/session.ts'
import { subscriptionMachine } from '../../machines/subscription.ts'
import * as phoneCode from '../../machines/testing/phoneOtpSituations.ts'
import * as payment from '../../machines/testing/transferSituations.ts'
import { maskContext } from './maskContext.ts'

afterEach(payment.stopTestActor)
afterEach(phoneCode.stopTestActor)

const HIDDEN = /^… (\d+ characters|a number)$/

type Leaf = string | number | boolean | null

function listLeaves(value: unknown): Leaf[] {
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(listLeaves)
  return [value as Leaf]
}

const listUnmaskedTexts = (context: unknown) => [
  ...new Set(
    listLeaves(maskContext(context)).filter((leaf) => typeof leaf === 'string' && !HIDDEN.test(leaf)),
  ),
]

/** Includes the keys of unmasked words. */
const { data: anyData } = fc.letrec<{ data: unknown; key: string }>((tie) => ({
  key: fc.oneof(
    fc.constantFrom('kind', 'status', 'error', 'country', 'reason', 'field'),
    fc.stringMatching(/^[a-z][A-Z]{0,8}$/),
  ),
  data: fc.oneof(
    { maxDepth: 4 },
    fc.string(),
    fc.stringMatching(/^\+?[0-9]{6,15}$/),
    fc.emailAddress(),
    fc.uuid(),
    fc.double(),
    fc.integer(),
    fc.constantFrom(0, true, false, null),
    fc.array(tie('data'), { maxLength: 4 }),
    fc.dictionary(tie('key') as fc.Arbitrary<string>, tie('data'), { maxKeys: 5, noNullPrototype: true }),
  ),
}))

function describeShape(value: unknown): unknown {
  if (typeof value === 'string') return value === '… a number' ? 'number' : 'text'
  if (typeof value === 'number') return value === 0 ? 0 : 'number'
  if (Array.isArray(value)) return value.map(describeShape)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, describeShape(inner)]))
}

describe('masking any context', () => {
  test('masking hides every text except product words, and numbers except 0', () => {
    fc.assert(
      fc.property(anyData, (data) => {
        const shown = (value: unknown, name: string): string[] => {
          if (typeof value === 'number') return value === 0 ? [] : [`${name} ${value}`]
          if (typeof value === 'string') return HIDDEN.test(value) ? [] : [`${name} ${value}`]
          if (typeof value !== 'object' || value === null) return []
          return Object.entries(value).flatMap(([inner, one]) =>
            shown(one, Array.isArray(value) ? name : inner),
          )
        }
        for (const one of shown(maskContext(data), ''))
          expect(one).toMatch(/^(kind|status|error|country|reason|field) [A-Za-z][A-Za-z_-]*$/)
      }),
    )
  })

  test('masking a context keeps booleans, 0, and whether a value is present', () => {
    fc.assert(
      fc.property(anyData, (data) => {
        expect(describeShape(maskContext(data))).toEqual(describeShape(data))
      }),
    )
  })

  test.each([
    ['kind', 'declined', 'declined'],
    ['currency', 'EUR', 'EUR'],
    ['receivingMethod', 'mtn_money', 'mtn_money'],
    ['reason', 'insufficient-funds', 'insufficient-funds'],
    ['name', 'declined', '… 8 characters'],
    ['kind', 'Awa Diallo', '… 10 characters'],
    ['kind', '', '… 0 characters'],
    ['reason', '224620000000', '… 12 characters'],
    ['error', 'pi_3Nx', '… 6 characters'],
    ['status', 'a'.repeat(41), '… 41 characters'],
  ])('masking shows the field %s with the value %j as %j', (name, text, masked) => {
    expect(maskContext({ [name]: text })).toEqual({ [name]: masked })
    expect(maskContext({ [name]: [text] })).toEqual({ [name]: [masked] })
    expect(maskContext(text)).toBe(`… ${text.length} characters`)
  })

  test('masking drops values that are not plain or lie too deep', () => {
    const circle: Record<string, unknown> = { name: 'Awa' }
    circle.self = circle
    expect(JSON.stringify(maskContext(circle))).not.toContain('Awa')
    expect(maskContext({ count: 5n, call: () => 'Awa', nothing: undefined })).toEqual({
      count: '…',
      call: '…',
      nothing: null,
    })
  })
})

const PERSON = {
  uid: 'Xk29dTq81',
  name: 'Aïssatou Diallo',
  email: 'aissatou@example.org',
  phone: '+33698765432',
}

describe('masking the context of each machine', () => {
  const secrets = [
    ...['+224', '620', '100', '10000', '9700', '500', 'u1', 'a1', 'pi_', 'secret', String(payment.now)],
    ...['2026-11', 'AWA2026', 'MarieD', 'Not enough'],
  ]
  const profile = {
    ...payment.profile,
    uid: 'u1MarieD',
    subscription: { ...EMPTY_SUBSCRIPTION, tier: 'basic', status: 'active', transactionsLeft: 7 },
  } as const

  test.each(Object.keys(payment.arrange))(
    'the masked context of a transfer in the state %s contains no amount, number or ID',
    async (state) => {
      const { actor } = await payment.arrange[state as keyof typeof payment.arrange]()
      const { context } = actor.getSnapshot()
      const masked = JSON.stringify(maskContext(context))
      expect(secrets.filter((secret) => masked.includes(secret))).toEqual([])
      expect(
        listLeaves(maskContext(context)).filter((leaf) => typeof leaf === 'number' && leaf !== 0),
      ).toEqual([])
    },
  )

  test('a declined payment’s masked context shows only the product’s words', async () => {
    const { actor, confirm, findOpenAttempt, reserve, send, confirmCard } = payment.createTestActor(
      {},
      { profile, draft: { ...payment.draft, coupon: 'AWA2026' } },
    )
    await findOpenAttempt.answer(null)
    confirm('a1', [payment.duplicateTransfer])
    send({ type: 'duplicate.confirm', attemptId: 'a1', at: payment.now })
    await reserve.answer(payment.buildReserveAnswer())
    send({ type: 'payment.submit' })
    await confirmCard.answer(payment.declinedAnswer)
    const { context } = actor.getSnapshot()
    expect(context.attempt).not.toBe(null)
    expect(context.problem).not.toBe(null)
    const masked = JSON.stringify(maskContext(context))
    expect(secrets.filter((secret) => masked.includes(secret))).toEqual([])
    expect(listUnmaskedTexts(context)).toEqual([
      ...['basic', 'active', 'EUR', 'GN', 'orange_money', 'typed'],
      ...['failed', 'insufficient_funds', 'GNF'],
    ])
  })

  test('masking hides the phone number and the verification code', async () => {
    const { actor } = await phoneCode.arrange.verifying()
    const { context } = actor.getSnapshot()
    expect(context).toMatchObject({ name: 'Awa', sent: { phone: phoneCode.phone } })
    const masked = JSON.stringify(maskContext(context))
    const known = ['Awa', phoneCode.typedPhone, phoneCode.phone, '33', '123', '456', 'v1']
    expect(known.filter((secret) => masked.includes(secret))).toEqual([])
    expect(listUnmaskedTexts(context)).toEqual(['signIn'])
  })

  test('masking hides the user of a session', () => {
    const [start] = initialTransition(sessionMachine)
    const { uid, name, email, phone } = PERSON
    const account = { uid, email, phone, emailVerified: true, usesPassword: true }
    const [{ context }] = transition(sessionMachine, start, {
      type: 'device.read',
      account: { ...account, remembered: { name, email, phone } },
      leaving: null,
    })
    expect(context.session).toMatchObject(PERSON)
    const hidden = { email: '… 20 characters', phone: '… 12 characters' }
    const [uidHidden, remembered] = ['… 9 characters', { ...hidden, name: '… 15 characters' }]
    expect(maskContext(context)).toEqual({
      account: { ...account, ...hidden, uid: uidHidden, remembered },
      session: { kind: 'ready', uid: uidHidden, ...remembered },
      nextAccount: null,
      unclearedUid: null,
      reason: null,
      notice: null,
    })
  })

  test('masking shows only which parts of an identity are present', () => {
    const details = {
      fullName: PERSON.name,
      idType: 'passport',
      idNumber: 'O00123456',
      issuedBy: 'Conakry',
      expirationDate: '2030-01-31',
      dateOfBirth: '1990-05-17',
    } as const
    const [start] = initialTransition(identityUploadMachine, { uid: PERSON.uid })
    const [{ context }] = transition(identityUploadMachine, start, {
      type: 'submission.send',
      submission: { hasDocument: true, details, previousId: 'file7Q' },
    })
    expect(context.submission).toMatchObject({ details })
    const known = [PERSON.uid, 'file7Q', ...Object.values(details)]
    const masked = JSON.stringify(maskContext(context))
    expect(known.filter((secret) => masked.includes(secret))).toEqual([])
    expect(listUnmaskedTexts(context)).toEqual([])
    expect(maskContext(context)).toMatchObject({
      submission: { hasDocument: true },
      uploadedShare: 0,
      isStored: false,
    })
  })

  test('masking hides the token of a sign-in with Google', () => {
    const [start] = initialTransition(popupQueueMachine, { isSlow: false })
    const redirect = {
      ...{ eventId: 'e8Rt', requestId: 'r5Wz', issuedAt: payment.now },
      credential: { idToken: 'eyJhbGciOiJSUzI1NiJ9' },
    }
    const [{ context }] = transition(popupQueueMachine, start, {
      type: 'redirect.received',
      at: payment.now,
      redirect,
    })
    expect(context.queued).toEqual([redirect])
    const masked = JSON.stringify(maskContext(context))
    const known = ['eyJ', 'e8Rt', 'r5Wz', String(payment.now)]
    expect(known.filter((secret) => masked.includes(secret))).toEqual([])
    expect(listUnmaskedTexts(context)).toEqual([])
  })

  test('masking shows the tier of a plan and hides its user', () => {
    const subscription = {
      ...profile.subscription,
      ...{ stripeSubscriptionId: 'sub_9fK', startDate: payment.now, lastReset: payment.now },
    }
    const [{ context }] = initialTransition(subscriptionMachine, {
      ...{ uid: PERSON.uid, subscription, sessionId: 'cs_4hB', isOnline: true, at: payment.now },
    })
    const masked = JSON.stringify(maskContext(context))
    const known = [PERSON.uid, 'sub_', 'cs_', String(payment.now)]
    expect(known.filter((secret) => masked.includes(secret))).toEqual([])
    expect(maskContext(context)).toMatchObject({
      subscription: { tier: 'basic', status: 'active', transactionsLeft: '… a number', cancelAt: null },
      isOnline: true,
      unclearAnswers: 0,
    })
  })
})
