import { expect, test } from 'vitest'
import { isOpenTo, type Ownership, type Proof, wayToConfirm } from './waysIn.ts'

const ADDRESS = 'awa@example.org'
const AT = 1_790_000_000_000
const unconfirmed: Ownership = { madeWith: 'address', verifiedAddress: null, sessionsSince: null }
const confirmed: Ownership = { madeWith: 'address', verifiedAddress: ADDRESS, sessionsSince: AT }
const byPhone: Ownership = { madeWith: 'phone', verifiedAddress: null, sessionsSince: null }
const proof = (way: string, email?: string, signedInAt = AT): Proof => ({ way, email, signedInAt })

test.each<[string, Ownership, Proof, boolean]>([
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
])('an account %s', (_, ownership, given, expected) => {
  expect(isOpenTo(ownership, given)).toBe(expected)
})

const PASSWORD = { way: 'password', email: ADDRESS }
const GOOGLE = { way: 'google.com', email: ADDRESS }
const OTHER_GOOGLE = { way: 'google.com', email: 'b@example.org' }
const PHONE = { way: 'phone' }

test.each([
  ['the password, by password', 'address', [PASSWORD, PHONE, OTHER_GOOGLE], 'password', 'password'],
  ['Google of the same address, by Google', 'address', [PASSWORD, PHONE, GOOGLE], 'google.com', 'google.com'],
  ['no Google of another address, by it', 'address', [PASSWORD, OTHER_GOOGLE], 'google.com', null],
  ['no linked phone, by phone', 'address', [PASSWORD, PHONE], 'phone', null],
  ['nothing that is not there', 'address', [PHONE], 'password', null],
  ['the phone that made it, by phone', 'phone', [PASSWORD, PHONE], 'phone', 'phone'],
  ['the phone that made it, by password', 'phone', [PASSWORD, PHONE], 'password', 'phone'],
  ['Google, once the phone is gone', 'phone', [GOOGLE], 'google.com', 'google.com'],
] as const)('an address is confirmed by %s', (_, madeWith, waysIn, cameBy, expected) => {
  expect(wayToConfirm({ madeWith }, { address: ADDRESS, waysIn }, cameBy)).toBe(expected)
})
