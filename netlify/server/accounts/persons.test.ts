import { describe, expect, test } from 'vitest'
import { buildPersonKeys, normalizeAddress } from './persons.ts'

const buildAddressKeys = (email: string) =>
  buildPersonKeys({ pseudonym: (name) => name }, { uid: 'ada', email }).slice(1)

describe('the mailbox of an address', () => {
  test.each([
    ['mule@gmail.com', 'mule@gmail.com'],
    ['mule+1@gmail.com', 'mule@gmail.com'],
    ['mule+@gmail.com', 'mule@gmail.com'],
    ['m.u.l.e@gmail.com', 'mule@gmail.com'],
    ['m.u.l.e+a+b@gmail.com', 'mule@gmail.com'],
    ['m.ule+a.b@googlemail.com', 'mule@gmail.com'],
    ['MULE@GMAIL.COM', 'mule@gmail.com'],
    ['Mule@GoogleMail.com', 'mule@gmail.com'],
    ['mule@\uff27mail.com', 'mule@gmail.com'],
    ['Ada.Lovelace+1@Example.com', 'ada.lovelace@example.com'],
    ['ada-1@example.com', 'ada-1@example.com'],
    ['ada_1@example.com', 'ada_1@example.com'],
    ['\u202am\u200bule@gmail.com', 'mule@gmail.com'],
    ['+1@example.com', '+1@example.com'],
    ['"a@b"+1@example.com', '"a@b"@example.com'],
    ['ada@mail.gmail.com', 'ada@mail.gmail.com'],
    ['a.da@gmail.com.example', 'a.da@gmail.com.example'],
    ['a.da@gmail.fr', 'a.da@gmail.fr'],
    ['ada@exämple.com', 'ada@xn--exmple-cua.com'],
    ['ada@EXA\u0308MPLE.com', 'ada@xn--exmple-cua.com'],
    ['ada+1@xn--exmple-cua.com', 'ada@xn--exmple-cua.com'],
    ['zoe\u0301@example.com', 'zoé@example.com'],
    ['mule@gmail.com.', 'mule@gmail.com'],
    ['ada@example.com.', 'ada@example.com'],
    ['"ada"@example.com', 'ada@example.com'],
    ['"a\\da"@example.com', 'ada@example.com'],
    ['"m.ule+1"@gmail.com', 'mule@gmail.com'],
    ['"a,da"@example.com', '"a,da"@example.com'],
    ['"a..da"@example.com', '"a..da"@example.com'],
    ['m.u_l-e+1@proton.me', 'mule@proton.me'],
    ['m.ule@protonmail.com', 'mule@proton.me'],
    ['mu-le@protonmail.ch', 'mule@proton.me'],
    ['mule@pm.me', 'mule@proton.me'],
    ['mule-shop@yahoo.com', 'mule@yahoo.com'],
    ['mule-a-b@yahoo.co.uk', 'mule@yahoo.co.uk'],
    ['mule-1@ymail.com', 'mule@ymail.com'],
    ['mu.le@yahoo.fr', 'mu.le@yahoo.fr'],
    ['mule-1@outlook.com', 'mule-1@outlook.com'],
    ['a-b@notyahoo.com', 'a-b@notyahoo.com'],
  ])('normalizes the address %s to %s, and builds its key from that', (address, mailbox) => {
    expect(normalizeAddress(address)).toBe(mailbox)
    expect(buildAddressKeys(address)).toEqual([`person:${mailbox}`])
  })

  test('builds different keys for different mailboxes', () => {
    expect(buildAddressKeys('ada.lovelace@example.com')).not.toEqual(
      buildAddressKeys('adalovelace@example.com'),
    )
    expect(buildAddressKeys('ada@gmail.com')).not.toEqual(buildAddressKeys('ada@example.com'))
  })
})
