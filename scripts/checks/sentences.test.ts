import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { CATALOGS, parseTranslations } from '../../build/catalogs.ts'

const ROOT = join(import.meta.dirname, '../..')

const MAX_WORDS = 20

const said = CATALOGS.flatMap((name) =>
  [...parseTranslations(readFileSync(join(ROOT, 'src/locales', `${name}.po`), 'utf8'))].map(
    ([id, text]) => text || id,
  ),
)

test('no sentence has more than twenty words in either language', () => {
  expect(said.flatMap(splitMessage).filter((sentence) => countWords(sentence) > MAX_WORDS)).toEqual([])
})

test.each([
  ['One, two. Three?', ['One, two.', 'Three?']],
  [
    '{left, plural, one {# is left} other {# are left}}. <0>Go on</0>…',
    ['# is left', '# are left', 'Go on…'],
  ],
  ['It needs {n}{most, select, true { to {m}} other {}}.', ['It needs {n} to {m}.']],
  ['S’il aboutit\u00a0: non, 1,5 €', ['S’il aboutit\u00a0: non, 1,5 €']],
])('splits the text %j into sentences', (text, sentences) => {
  expect(splitMessage(text)).toEqual(sentences)
})

test('counts only words that contain a letter, a digit or a placeholder', () => {
  expect(countWords('Frais : {fee} — # sur 5 !')).toBe(5)
})

/** Includes each plural form and every optional part. */
function splitMessage(whole: string): string[] {
  const message = whole.replace(/\{\w+, select, true \{((?:[^{}]|\{\w+\})*)\} other \{\}\}/g, '$1')
  const forms = [...message.matchAll(/(?:=\d+|one|other) \{((?:[^{}]|\{\w+\})*)\}/g)].map(
    ([, form = '']) => form,
  )
  const texts = forms.length > 0 ? [...forms, message.replace(/\{\w+, plural,.*\}\}/, '')] : [message]
  return texts
    .map((text) => text.replace(/<\/?\d+\/?>/g, ''))
    .flatMap((text) => text.split(/(?<=[.!?…])\s+/))
    .filter((sentence) => countWords(sentence) > 0)
}

function countWords(sentence: string): number {
  return sentence.split(/\s+/).filter((word) => /[\p{L}\p{N}{#]/u.test(word)).length
}
