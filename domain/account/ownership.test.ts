import { expect, test } from 'vitest'
import { acceptsSignIn, getConfirmationMethod, type Ownership, type ProvenSignIn } from './ownership.ts'

const ADDRESS = 'awa@example.org'
const AT = 1_790_000_000_000
const unconfirmed: Ownership = { madeWith: 'address', verifiedAddress: null, sessionsSince: null }
const confirmed: Ownership = { madeWith: 'address', verifiedAddress: ADDRESS, sessionsSince: AT }
const byPhone: Ownership = { madeWith: 'phone', verifiedAddress: null, sessionsSince: null }
const proof = (way: string, email?: string, signedInAt = AT): ProvenSignIn => ({ way, email, signedInAt })

test.each<[string, Ownership, ProvenSignIn, boolean]>([
  ['made with an address, by password, unverified', unconfirmed, proof('password'), false],
  ['made with an address, by password, verified', unconfirmed, proof('password', ADDRESS), false],
  ['made with an address, by a linked phone', unconfirmed, proof('phone'), false],
  ['made with an address, by a linked phone, verified', unconfirmed, proof('phone', ADDRESS), false],
  ['made with an address, by Google, verified', unconfirmed, proof('google.com', ADDRESS), false],
  ['confirmed, by password', confirmed, proof('password', ADDRESS), true],
  ['confirmed, by Google', confirmed, proof('google.com', ADDRESS), true],
  ['confirmed, by a phone linked since', confirmed, proof('phone', ADDRESS), true],
  ['confirmed, with an address that is not verified', confirmed, proof('phone'), false],
  ['confirmed, with another address', confirmed, proof('password', 'b@example.org'), false],
  ['confirmed, signed in before', confirmed, proof('password', ADDRESS, AT - 1), false],
  ['made with a phone, by phone', byPhone, proof('phone'), true],
  ['made with a phone, by phone, with a verified address', byPhone, proof('phone', ADDRESS), true],
  ['made with a phone, by an unverified address', byPhone, proof('password'), false],
  ['made with a phone, by a verified address', byPhone, proof('password', ADDRESS), false],
  [
    'made with a phone, by its confirmed address',
    { ...byPhone, verifiedAddress: ADDRESS },
    proof('password', ADDRESS),
    true,
  ],
])('decides whether a sign-in may open an account: %s', (_, ownership, given, expected) => {
  expect(acceptsSignIn(ownership, given)).toBe(expected)
})

const PASSWORD = { way: 'password', email: ADDRESS }
const GOOGLE = { way: 'google.com', email: ADDRESS }
const OTHER_GOOGLE = { way: 'google.com', email: 'b@example.org' }
const PHONE = { way: 'phone' }

test.each([
  ['the password, by password', 'address', [PASSWORD, PHONE, OTHER_GOOGLE], 'password', 'password'],
  ['Google of the same address, by Google', 'address', [PASSWORD, PHONE, GOOGLE], 'google.com', 'google.com'],
  [
    'no Google account of another address, by Google',
    'address',
    [PASSWORD, OTHER_GOOGLE],
    'google.com',
    null,
  ],
  ['no phone linked later, by phone', 'address', [PASSWORD, PHONE], 'phone', null],
  ['no method that is not linked', 'address', [PHONE], 'password', null],
  ['the phone that made it, by phone', 'phone', [PASSWORD, PHONE], 'phone', 'phone'],
  ['the phone that made it, by password', 'phone', [PASSWORD, PHONE], 'password', 'phone'],
  ['the phone that made it, also once it is unlinked', 'phone', [GOOGLE], 'google.com', 'phone'],
] as const)(
  'finds the sign-in method that confirms an address: %s',
  (_, madeWith, signInMethods, cameBy, expected) => {
    expect(getConfirmationMethod({ madeWith }, { address: ADDRESS, signInMethods }, cameBy)).toBe(expected)
  },
)
