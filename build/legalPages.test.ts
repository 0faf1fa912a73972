import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { expect, test } from 'vitest'
import { LEGAL_PAGES, TEMPLATE_MARKS } from '../domain/account/legal.ts'
import type { Language } from '../domain/common/language.ts'
import { LANGUAGES } from '../src/browser/storedLanguage.ts'
import { renderLegalPage } from './legalPages.ts'

const ROOT = join(import.meta.dirname, '..')
const settings = parseEnv(readFileSync(join(ROOT, '.env.sandbox'), 'utf8'))
const readPage = (page: string, language: Language) =>
  readFileSync(join(ROOT, 'legal', language, `${page}.txt`), 'utf8')

const made = (text: string) => renderLegalPage(text, { page: 'terms', language: 'fr', settings })
const getMain = (html: string) => /<main>\n([\s\S]*)\n<\/main>/.exec(html)?.[1]?.replace(/\s/g, ' ')

test('a legal page has its text’s title, headings, paragraphs and lists', () => {
  expect(getMain(made('# Titre\n\nDeux\nlignes.\n\n## Suite\n\n- un\n- deux\n'))).toBe(
    '<h1>Titre</h1> <p>Deux lignes.</p> <h2>Suite</h2> <ul><li>un</li><li>deux</li></ul>',
  )
})

test('a legal page escapes HTML in the text', () => {
  expect(getMain(made('<script>&"x"</script>'))).toBe(
    '<p>&lt;script&gt;&amp;&quot;x&quot;&lt;/script&gt;</p>',
  )
})

test('a legal page links email addresses', () => {
  expect(getMain(made('Écrivez à {complaints}.'))).toBe(
    '<p>Écrivez à <a href="mailto:reclamations@passerelle.example">reclamations@passerelle.example</a>.</p>',
  )
})

test('renderLegalPage fills placeholders, and throws for one without a value', () => {
  expect(getMain(made('{operator}, {cap}, {feePercent} %'))).toBe(
    '<p>Passerelle (bac à sable), 1 000 €, 3 %</p>',
  )
  expect(() => made('{nobody}')).toThrow('{nobody}')
  expect(() =>
    renderLegalPage('{operator}', { page: 'terms', language: 'fr', settings: { VITE_OPERATOR_NAME: '' } }),
  ).toThrow('{operator}')
})

test('a legal page from a template begins with a notice', () => {
  expect(getMain(made(`${TEMPLATE_MARKS.fr}\n\n# Titre`))).toMatch(
    /^<p class="template" data-template>Ce texte est un modèle/,
  )
  expect(made('# Titre')).not.toContain('data-template')
})

test.each(LANGUAGES)('each legal text has one title and a template’s mark (%s)', (language) => {
  const texts = LEGAL_PAGES.map((page) => readPage(page, language))
  expect(globSync(`legal/${language}/*`, { cwd: ROOT })).toHaveLength(LEGAL_PAGES.length)
  for (const [index, text] of texts.entries()) {
    expect(text.startsWith(`${TEMPLATE_MARKS[language]}\n\n# `)).toBe(true)
    const html = renderLegalPage(text, { page: LEGAL_PAGES[index] ?? 'terms', language, settings })
    expect(html.match(/<h1>/g)).toHaveLength(1)
  }
})

test.each([
  ['fr', 'complaints', ['15 jours ouvrables', '35 jours ouvrables']],
  ['en', 'complaints', ['15 business days', '35 business days']],
  ['fr', 'operator', ['{operator}', '{licence}', '{supervisor}', '{address}', '{complaints}']],
  ['en', 'operator', ['{operator}', '{licence}', '{supervisor}', '{address}', '{complaints}']],
] as const)('the %s template of %s contains what the law requires', (language, page, said) => {
  for (const words of said) expect(readPage(page, language)).toContain(words)
})
