import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { CATALOGS, entries } from './catalogs.ts'

const ROOT = join(import.meta.dirname, '../..')

/** A longer sentence is read twice, or not at all. What stands in a gap counts as one word. */
const MOST_WORDS = 20

const said = CATALOGS.flatMap((name) =>
  [...entries(readFileSync(join(ROOT, 'src/locales', `${name}.po`), 'utf8'))].map(([id, text]) => text || id),
)

test('no sentence of the app has more than twenty words, in either language', () => {
  expect(said.flatMap(sentencesOf).filter((sentence) => wordsIn(sentence) > MOST_WORDS)).toEqual([])
})

test.each([
  ['One, two. Three?', ['One, two.', 'Three?']],
  [
    '{left, plural, one {# is left} other {# are left}}. <0>Go on</0>…',
    ['# is left', '# are left', 'Go on…'],
  ],
  ['S’il aboutit\u00a0: non, 1,5 €', ['S’il aboutit\u00a0: non, 1,5 €']],
])('%s', (text, sentences) => {
  expect(sentencesOf(text)).toEqual(sentences)
})

test('a word has a letter, a digit or a gap', () => {
  expect(wordsIn('Frais : {fee} — # sur 5 !')).toBe(5)
})

/** The sentences of a message, of a plural those of each of its forms. */
function sentencesOf(message: string): string[] {
  const forms = [...message.matchAll(/(?:=\d+|one|other) \{((?:[^{}]|\{\w+\})*)\}/g)].map(
    ([, form = '']) => form,
  )
  const texts = forms.length > 0 ? [...forms, message.replace(/\{\w+, plural,.*\}\}/, '')] : [message]
  return texts
    .map((text) => text.replace(/<\/?\d+\/?>/g, ''))
    .flatMap((text) => text.split(/(?<=[.!?…])\s+/))
    .filter((sentence) => wordsIn(sentence) > 0)
}

function wordsIn(sentence: string): number {
  return sentence.split(/\s+/).filter((word) => /[\p{L}\p{N}{#]/u.test(word)).length
}
