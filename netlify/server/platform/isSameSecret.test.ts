import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import { afterAll, expect, test, vi } from 'vitest'
import { createAddressProof, isAddressProof } from '../accounts/addressLink.ts'
import { isSameSecret } from './isSameSecret.ts'

const compare = vi.spyOn(crypto, 'timingSafeEqual')
syncBuiltinESMExports()
afterAll(() => {
  compare.mockRestore()
  syncBuiltinESMExports()
})

const context = {
  pseudonym: (text: string) => crypto.createHash('sha256').update(text).digest('hex'),
  deployment: 'test',
  now: () => 1,
}
const link = { uid: 'ada', address: 'ada@example.com' }
const proof = createAddressProof(context, link)

test('the proof of an address is compared in constant time', () => {
  compare.mockClear()
  expect(isAddressProof(context, link, proof)).toBe(true)
  expect(compare).toHaveBeenCalledOnce()
})

test.each([
  ['a', 'a', true],
  ['a', 'b', false],
  ['a', 'aa', false],
  ['', 'a', false],
  ['\u00e9', 'aa', false],
])('the text %j compared with the secret %j gives %s', (given, secret, isSame) => {
  expect(isSameSecret(given, secret)).toBe(isSame)
})
