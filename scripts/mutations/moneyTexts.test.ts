import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { CATALOGS, entries } from '../checks/catalogs.ts'

const ROOT = join(import.meta.dirname, '../..')

/** What says that money moved, moves or will not: these words are promises. */
const IS_ABOUT_MONEY =
  /débit|rembours|(seconde|deux) fois|retient la somme|rien n’a été payé|aucun paiement|est payée|plafond|encore envoyer|sans frais|de frais|au lieu de|économisez/i

/** Headings and labels say what is below them, and promise nothing. */
const IS_LABEL = /^.{0,24}$/

const MESSAGES = CATALOGS.filter((name) => name.endsWith('en')).flatMap((name) =>
  [...entries(readFileSync(join(ROOT, 'src/locales', `${name}.po`), 'utf8'))].filter(
    ([fr]) => IS_ABOUT_MONEY.test(fr) && !IS_LABEL.test(fr),
  ),
)

/** Each text that the end-to-end tests have in quotes. */
const QUOTED = globSync('e2e/**/*.ts', { cwd: ROOT })
  .flatMap((file) => [
    ...readFileSync(join(ROOT, file), 'utf8').matchAll(/'([^'\n]*)'|"([^"\n]*)"|`([^`]*)`/g),
  ])
  .map(([, ...quoted]) => quoted.find((one) => one !== undefined) ?? '')

test.each(MESSAGES)('%s', (fr, en) => {
  for (const said of [fr, en]) {
    const words = wordsOf(said)
    expect(
      QUOTED.some((quoted) => words.test(quoted)),
      `No end-to-end test reads ‘${said}’`,
    ).toBe(true)
  }
})

/** The message with anything in its gaps; of a plural, the words for many. */
function wordsOf(message: string): RegExp {
  const many = message
    .replace(/\{\w+, plural,.*other \{((?:[^{}]|\{\w+\})*)\}\}/, '$1')
    .replaceAll('#', '{n}')
  const parts = many.replace(/<\/?\d+>/g, '').split(/\{\w+\}/)
  return new RegExp(`^${parts.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('.+')}$`)
}
