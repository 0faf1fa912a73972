import { expect, test } from 'vitest'
import { type BuildDescription, findChange, listDifferences, parseFolder } from './compare.ts'

const same = { fr: 'Oui', en: 'Yes' }
const build = (
  texts: BuildDescription['texts'],
  looks: BuildDescription['looks'] = {},
): BuildDescription => ({
  kind: 'scenes',
  names: Object.keys(texts),
  texts,
  looks,
})

test('the comparison of builds lists changed, added and removed scenes', () => {
  const look = { fr: 'a', en: 'a' }
  const before = build(
    { kept: same, said: same, drawn: same, both: same, gone: same },
    { drawn: look, both: look },
  )
  const now = build(
    { kept: same, said: { fr: 'Oui', en: 'Yes!' }, drawn: same, both: { fr: 'Si', en: 'Yes' }, born: same },
    { drawn: { fr: 'b', en: 'b' }, both: { fr: 'a', en: 'b' } },
  )
  expect(listDifferences(before, now)).toEqual([
    { name: 'said', kind: 'text', language: 'en' },
    { name: 'drawn', kind: 'look', language: 'fr' },
    { name: 'both', kind: 'text and look', language: 'fr' },
    { name: 'born', kind: 'added', language: 'fr' },
    { name: 'gone', kind: 'removed', language: 'fr' },
  ])
})

test.each([
  ['Pay €10', 'Pay €20', 'Pay €10', 'Pay €20'],
  ['aa', 'aaa', 'aa', 'aaa'],
  [`${'x'.repeat(50)}old`, `${'x'.repeat(50)}new`, `${'x'.repeat(24)}old`, `${'x'.repeat(24)}new`],
])('a change is shown with the text around it: ‘%s’ and ‘%s’', (one, other, before, now) => {
  expect(findChange(one, other)).toEqual({ before, now })
})

test.each([
  ['../previous', 'file:///builds/previous/'],
  ['../previous/index.html#transfer?scene=payment', 'file:///builds/previous/'],
  ['https://host.example/7/', 'https://host.example/7/'],
  ['javascript:alert(1)//', null],
])('the folder ‘%s’ resolves to the URL %s', (address, folder) => {
  expect(parseFolder(address, 'file:///builds/storyboard/index.html')).toBe(folder)
})
