import type { Account } from '../domain/account/account.ts'
import type { Subscription } from '../domain/account/profileSchema.ts'
import { DAY } from '../domain/common/duration.ts'
import type { DataOperation, Failure } from '../domain/errors/failure.ts'
import type { BareRefusalCode, KnownRefusal } from '../domain/errors/refusals.ts'
import type { Contact } from '../domain/people/contact.ts'
import { ServiceError } from '../src/browser/failure.ts'
import { SCENE_TIME, type SceneRows } from './scene.ts'

/** Awa's uid is also that of the machines' test situations. */
export const AWA: Account = {
  uid: 'u1',
  email: 'awa@example.com',
  phone: null,
  emailVerified: true,
  usesPassword: true,
}

export const AWA_BY_PHONE = {
  ...AWA,
  email: null,
  phone: '+33612345678',
  emailVerified: false,
  usesPassword: false,
} satisfies Account

const buildContact = (name: string, phone: string): Contact => ({
  id: `${AWA.uid}_${phone.slice(1)}`,
  userId: AWA.uid,
  name,
  phone,
  createdAt: SCENE_TIME,
})

export const MARIAMA = buildContact('Mariama Bah', '+224664112233')

/** Contacts with short and long names. One has a number in a country to which no money can be sent. */
export const CONTACTS: readonly Contact[] = [
  MARIAMA,
  buildContact('Élodie Marchand-Fontainebleau de Saint-Germain', '+33612345678'),
  buildContact('Ousmane (Dakar)', '+221771234567'),
  buildContact('Ibrahima', '+224620000001'),
]

export const PREMIUM_SUBSCRIPTION: Subscription = {
  tier: 'premium',
  status: 'active',
  transactionsLeft: 3,
  stripeSubscriptionId: 'sub_1',
  startDate: SCENE_TIME - 18 * DAY,
  lastReset: SCENE_TIME,
  cancelAt: null,
}

export const buildPlanProfile = (subscription: Subscription) => ({
  ...{ uid: AWA.uid, name: 'Awa Diallo', email: AWA.email, phone: AWA.phone, subscription },
  ...({ madeWith: 'address', verifiedAddress: AWA.email } as const),
})

export const buildPlanRows = (subscription: Subscription): SceneRows => ({
  profiles: [buildPlanProfile(subscription)],
})

export const PASSWORD_POLICY_FAILURE: Failure = {
  kind: 'passwordPolicy',
  policy: { minLength: 12, maxLength: 0, lowercase: false, uppercase: true, digit: true, symbol: false },
}

export const PASSWORD_POLICY_TEXT =
  'Choisissez un autre mot de passe. Il lui faut au moins {minLength} caractères{most, select, true { et au plus {maxLength}} other {}}{lowercase, select, true {, une minuscule} other {}}{uppercase, select, true {, une majuscule} other {}}{digit, select, true {, un chiffre} other {}}{symbol, select, true {, un symbole} other {}}.'

export const failWith = (failure: Failure) => () => Promise.reject(new ServiceError(failure))

/** The database fails. */
export const failData = (operation: DataOperation) => failWith({ kind: 'data', operation, cause: 'other' })

export const refuseWith = (code: BareRefusalCode) =>
  failWith({
    kind: 'function',
    status: 409,
    error: '',
    message: '',
    ...({ code, details: {} } as KnownRefusal),
  })

/** Never settles, even where `buildBaseAnswers` has a response. */
export const neverAnswer = () => new Promise<never>(() => {})

/** In base64url. */
export const LOCK = { uid: AWA.uid, passkey: 'cGFzc2tleQ' }
