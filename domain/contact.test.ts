import { expect, test } from 'vitest'
import { checkContact, findContacts, fromAddressBook } from './contact.ts'

const MARIAMA = { name: 'Mariama Bah', phone: '+224620000000' }
const ELODIE = { name: 'Élodie', phone: '+33612345678' }
const ZOE = { name: 'Zoé', phone: '+15145550123' }
const KNOWN = [ZOE, MARIAMA, ELODIE]

test('a name and a number are stored without what does not belong to them', () => {
  expect(checkContact({ name: '  Aïssatou \u202eBâ ', phone: '+224 664 11 22 33' }, KNOWN)).toEqual({
    ok: true,
    value: { name: 'Aïssatou Bâ', phone: '+224664112233' },
  })
})

test.each([
  [{ name: '', phone: '' }, ['nameRequired', 'phoneRequired']],
  [{ name: '—', phone: '+224664112233' }, ['nameRequired']],
  [{ name: 'Awa', phone: '612345678' }, ['phoneInvalid']],
  [{ name: 'Awa', phone: '00224 620-00-00-00' }, ['contactExists']],
  [{ name: 'Awa', phone: '+0612345678' }, ['phoneInvalid']],
  [{ name: 'Awa', phone: '+1234567' }, ['phoneInvalid']],
  [{ name: '', phone: '+224 620 00 00 00' }, ['nameRequired', 'contactExists']],
])('%j: %j', (form, kinds) => {
  const checked = checkContact(form, KNOWN)
  expect(checked.ok ? [] : checked.error.map(({ kind }) => kind)).toEqual(kinds)
})

test('who has the number already is told', () => {
  expect(checkContact({ name: 'Awa', phone: '+33 6 12 34 56 78' }, KNOWN)).toEqual({
    ok: false,
    error: [{ field: 'phone', kind: 'contactExists', name: 'Élodie' }],
  })
})

test.each([
  ['', ['Élodie', 'Mariama Bah', 'Zoé']],
  ['  ', ['Élodie', 'Mariama Bah', 'Zoé']],
  ['elo', ['Élodie']],
  ['bah mari', ['Mariama Bah']],
  ['06 12', ['Élodie']],
  ['620 00', ['Mariama Bah']],
  ['+1', ['Zoé']],
  ['Fatou', []],
  ['0', []],
])('%j finds %j', (text, names) => {
  expect(findContacts(KNOWN, text, 'fr').map(({ name }) => name)).toEqual(names)
})

test.each([
  [
    { name: ['Mariama Bah'], tel: ['+224 620 00 00 00'] },
    { name: 'Mariama Bah', phone: '+224620000000' },
  ],
  [
    { name: ['Élodie'], tel: ['620 00 00 00', '+33 (0)6-12.34/56 78'] },
    { name: 'Élodie', phone: '+33612345678' },
  ],
  [
    { name: ['Ibrahima'], tel: ['00224 664 11 22 33'] },
    { name: 'Ibrahima', phone: '+224664112233' },
  ],
  // What a number lacks is not guessed: it decides where the money goes.
  [
    { name: ['Élodie'], tel: ['620 00 00 00'] },
    { name: 'Élodie', phone: '620000000' },
  ],
  [
    { name: ['\u202e'], tel: ['\u202a+33612345678\u202c'] },
    { name: '', phone: '+33612345678' },
  ],
  [
    { name: ['x'.repeat(150)], tel: [] },
    { name: 'x'.repeat(100), phone: '' },
  ],
  [{}, { name: '', phone: '' }],
])('%j in the address book', (entry, form) => {
  expect(fromAddressBook(entry)).toEqual(form)
})
