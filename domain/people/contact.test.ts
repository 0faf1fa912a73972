import { expect, test } from 'vitest'
import { checkContact, findContacts, parseAddressBookEntry } from './contact.ts'

const MARIAMA = { name: 'Mariama Bah', phone: '+224620000000' }
const ELODIE = { name: 'Élodie', phone: '+33612345678' }
const ZOE = { name: 'Zoé', phone: '+15145550123' }
const KNOWN = [ZOE, MARIAMA, ELODIE]

test('cleans the name and the number of a contact', () => {
  expect(checkContact({ name: '  Aïssatou \u202eBâ ', phone: '+224 664 11 22 33' }, KNOWN)).toEqual({
    ok: true,
    value: { name: 'Aïssatou Bâ', phone: '+224664112233' },
  })
})

test.each([
  ['0692 12 34 56', '+262692123456'],
  ['+33 6 90 12 34 56', '+590690123456'],
])('stores the overseas number %j of a contact as %s @spec-overseas', (phone, stored) => {
  expect(checkContact({ name: 'Awa', phone }, KNOWN)).toEqual({
    ok: true,
    value: { name: 'Awa', phone: stored },
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
])('refuses the contact %j: %j', (form, kinds) => {
  const checked = checkContact(form, KNOWN)
  expect(checked.ok ? [] : checked.error.map(({ kind }) => kind)).toEqual(kinds)
})

test('limits an account to 500 contacts', () => {
  const known = Array.from({ length: 500 }, (_, n) => ({ name: `Awa ${n}`, phone: `+2246201${n + 10_000}` }))
  const form = { name: 'Fatou', phone: '+224664112233' }
  expect(checkContact(form, known.slice(1))).toMatchObject({ ok: true })
  expect(checkContact(form, known)).toEqual({
    ok: false,
    error: [{ field: 'name', kind: 'tooManyContacts', most: 500 }],
  })
})

test('names the contact who already has the number', () => {
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
])('a search for %j finds the contacts %j', (text, names) => {
  expect(findContacts(KNOWN, text, 'fr').map(({ name }) => name)).toEqual(names)
})

// Keyboards and address books write apostrophes and hyphens in different ways, and users omit them.
test.each([
  ['n\u2019diaye', "Awa N'Diaye"],
  ["n'diaye", 'Awa N\u2019Diaye'],
  ["n'diaye", 'Awa N\u02bcDiaye'],
  ['ndiaye', "Awa N'Diaye"],
  ["N'Diaye", 'Awa Ndiaye'],
  ['jean-pierre', 'Jean Pierre Bah'],
  ['jean pierre', 'Jean-Pierre Bah'],
  ['jean-pierre', 'Jean\u2011Pierre Bah'],
])('a search for %j finds the contact %j', (text, name) => {
  const contact = { name, phone: '+224664112233' }
  expect(findContacts([...KNOWN, contact], text, 'fr')).toEqual([contact])
})

test.each([
  [
    { name: ['Mariama Bah'], tel: ['+224 620 00 00 00'] },
    { name: 'Mariama Bah', phone: '+224620000000' },
  ],
  [
    { name: ['Élodie'], tel: ['620 00 00 00', '+33 (0)6-12.34/56 78'] },
    { name: 'Élodie', phone: '620000000 / +33612345678' },
  ],
  [
    { name: ['Élodie'], tel: ['06 12 34 56 78', '+33612345678', '12'] },
    { name: 'Élodie', phone: '+33612345678' },
  ],
  [
    { name: ['Orange Money'], tel: ['*144#', '＊144＃'] },
    { name: 'Orange Money', phone: '' },
  ],
  [
    { name: ['Awa'], tel: ['*144#', '+224 62'] },
    { name: 'Awa', phone: '+22462' },
  ],
  [
    { name: ['Ibrahima'], tel: ['00224 664 11 22 33'] },
    { name: 'Ibrahima', phone: '+224664112233' },
  ],
  // A missing prefix is not guessed, because it decides where the money goes.
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
])('converts an address book’s entry %j to the form %j', (entry, form) => {
  expect(parseAddressBookEntry(entry)).toEqual(form)
})
