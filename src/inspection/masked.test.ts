import fc from 'fast-check'
import { afterEach, describe, expect, test } from 'vitest'
import { initialTransition, transition } from 'xstate'
import { EMPTY_SUBSCRIPTION } from '../../domain/plans.ts'
import { identityUploadMachine } from '../../machines/identityUpload.ts'
import { popupQueueMachine } from '../../machines/popupQueue.ts'
import { sessionMachine } from '../../machines/session.ts'
import { subscriptionMachine } from '../../machines/subscription.ts'
import * as phoneCode from '../../machines/testing/phoneOtpSituations.ts'
import * as payment from '../../machines/testing/transferSituations.ts'
import { masked } from './masked.ts'

afterEach(payment.stop)
afterEach(phoneCode.stop)

/** What is told of any text or number. */
const HIDDEN = /^… (\d+ characters|a number)$/

type Leaf = string | number | boolean | null

/** The innermost values, in their order. */
function leavesOf(value: unknown): Leaf[] {
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(leavesOf)
  return [value as Leaf]
}

/** Which texts come out as they are, each once. */
const toldIn = (context: unknown) => [
  ...new Set(leavesOf(masked(context)).filter((leaf) => typeof leaf === 'string' && !HIDDEN.test(leaf))),
]

/** Plain data of any kind, by names that the code may have: those of the product's own words too. */
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

/** Whether there is a text, a number, 0, yes, no or nothing; the same before it is masked and after. */
function shapeOf(value: unknown): unknown {
  if (typeof value === 'string') return value === '… a number' ? 'number' : 'text'
  if (typeof value === 'number') return value === 0 ? 0 : 'number'
  if (Array.isArray(value)) return value.map(shapeOf)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, shapeOf(inner)]))
}

describe('whatever a machine knows', () => {
  test('no text comes out but words under the names of the product’s own, and no number but 0', () => {
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
        for (const one of shown(masked(data), ''))
          expect(one).toMatch(/^(kind|status|error|country|reason|field) [A-Za-z][A-Za-z_-]*$/)
      }),
    )
  })

  test('what is there, what is not, yes, no and 0 stay', () => {
    fc.assert(
      fc.property(anyData, (data) => {
        expect(shapeOf(masked(data))).toEqual(shapeOf(data))
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
  ])('of %s: %j is told as %j', (name, text, told) => {
    expect(masked({ [name]: text })).toEqual({ [name]: told })
    expect(masked({ [name]: [text] })).toEqual({ [name]: [told] })
    expect(masked(text)).toBe(`… ${text.length} characters`)
  })

  test('what is no plain data is not told, nor what lies too deep', () => {
    const circle: Record<string, unknown> = { name: 'Awa' }
    circle.self = circle
    expect(JSON.stringify(masked(circle))).not.toContain('Awa')
    expect(masked({ count: 5n, call: () => 'Awa', nothing: undefined })).toEqual({
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

describe('what the machines know', () => {
  const secrets = [
    ...['+224', '620', '100', '10000', '9700', '500', 'u1', 'a1', 'pi_', 'secret', String(payment.now)],
    ...['2026-11', 'AWA2026', 'MarieD', 'Not enough'],
  ]
  const profile = {
    ...payment.profile,
    uid: 'u1MarieD',
    subscription: { ...EMPTY_SUBSCRIPTION, tier: 'basic', status: 'active', transactionsLeft: 7 },
  } as const

  test.each(Object.keys(payment.reach))(
    'of a transfer nothing comes out that tells of it: %s',
    async (state) => {
      const { actor } = await payment.reach[state as keyof typeof payment.reach]()
      const { context } = actor.getSnapshot()
      const told = JSON.stringify(masked(context))
      expect(secrets.filter((secret) => told.includes(secret))).toEqual([])
      expect(leavesOf(masked(context)).filter((leaf) => typeof leaf === 'number' && leaf !== 0)).toEqual([])
    },
  )

  test('of a transfer that is paid the words of the product come out, and no others', async () => {
    const { actor, confirm, findOpenAttempt, reserve, send, confirmCard } = payment.createTestActor(
      {},
      { profile, draft: { ...payment.draft, coupon: 'AWA2026' } },
    )
    await findOpenAttempt.answer(null)
    confirm('a1', [payment.duplicate])
    send({ type: 'again.confirm', attemptId: 'a1', at: payment.now })
    await reserve.answer(payment.reserved())
    send({ type: 'payment.submit' })
    await confirmCard.answer(payment.declined)
    const { context } = actor.getSnapshot()
    expect(context.attempt).not.toBe(null)
    expect(context.problem).not.toBe(null)
    const told = JSON.stringify(masked(context))
    expect(secrets.filter((secret) => told.includes(secret))).toEqual([])
    expect(toldIn(context)).toEqual([
      ...['basic', 'active', 'EUR', 'GN', 'mtn_money', 'typed'],
      ...['failed', 'insufficient_funds', 'GNF'],
    ])
  })

  test('of a number that is proved neither it nor the code', async () => {
    const { actor } = await phoneCode.reach.verifying()
    const { context } = actor.getSnapshot()
    expect(context).toMatchObject({ name: 'Awa', sent: { phone: phoneCode.phone } })
    const told = JSON.stringify(masked(context))
    const known = ['Awa', phoneCode.typed, phoneCode.phone, '33', '123', '456', 'v1']
    expect(known.filter((secret) => told.includes(secret))).toEqual([])
    expect(toldIn(context)).toEqual(['signIn'])
  })

  test('of a session not whose it is', () => {
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
    expect(masked(context)).toEqual({
      account: { ...account, ...hidden, uid: uidHidden, remembered },
      session: { kind: 'ready', uid: uidHidden, ...remembered },
      next: null,
      leftover: null,
      reason: null,
      notice: null,
    })
  })

  test('of an identity only what there is', () => {
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
    const told = JSON.stringify(masked(context))
    expect(known.filter((secret) => told.includes(secret))).toEqual([])
    expect(toldIn(context)).toEqual([])
    expect(masked(context)).toMatchObject({ submission: { hasDocument: true }, share: 0, isStored: false })
  })

  test('of a sign-in with Google not what proves it', () => {
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
    const told = JSON.stringify(masked(context))
    const known = ['eyJ', 'e8Rt', 'r5Wz', String(payment.now)]
    expect(known.filter((secret) => told.includes(secret))).toEqual([])
    expect(toldIn(context)).toEqual([])
  })

  test('of a plan which it is, and not whose', () => {
    const subscription = {
      ...profile.subscription,
      ...{ stripeSubscriptionId: 'sub_9fK', startDate: payment.now, lastReset: payment.now },
    }
    const [{ context }] = initialTransition(subscriptionMachine, {
      ...{ uid: PERSON.uid, subscription, sessionId: 'cs_4hB', isOnline: true, at: payment.now },
    })
    const told = JSON.stringify(masked(context))
    const known = [PERSON.uid, 'sub_', 'cs_', String(payment.now)]
    expect(known.filter((secret) => told.includes(secret))).toEqual([])
    expect(masked(context)).toMatchObject({
      subscription: { tier: 'basic', status: 'active', transactionsLeft: '… a number', cancelAt: null },
      isOnline: true,
      unclearAnswers: 0,
    })
  })
})
