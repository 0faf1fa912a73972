import { readFileSync } from 'node:fs'
import { setupI18n, type Values } from '@lingui/core'
import { CATALOGS, parseTranslations } from '../build/catalogs.ts'
import { insertFrenchSpaces } from '../build/typography.ts'
import type { Language } from '../domain/common/language.ts'

// Tests name a text of the app by its ID, which is the French source text, and read it in the language under
// test. scripts/checks/moneyTexts.test.ts shows these texts to a reviewer.

const i18n = setupI18n()
for (const name of CATALOGS) {
  const language = name.slice(-2)
  const po = readFileSync(new URL(`../src/locales/${name}.po`, import.meta.url), 'utf8')
  const defineTexts = [...parseTranslations(po)].map(([id, text]) => [
    id,
    language === 'fr' ? insertFrenchSpaces(text) : text,
  ])
  i18n.load(language, Object.fromEntries(defineTexts))
}
i18n.activate('fr')

export const setTestLanguage = (language: Language) => i18n.activate(language)

export const getTestLanguage = () => i18n.locale as Language

/** Strips tags. Without values, the text ends before its first placeholder. */
export function getText(id: string, values?: Values): string {
  const message = getMessage(id)
  return stripTags(values ? i18n._(id, values) : message.replace(/\{.*/s, '')).trim()
}

/** Each placeholder matches `gap`, and all kinds of spaces match each other. */
export function buildTextPattern(id: string, gap = '.+'): RegExp {
  const parts = stripTags(getMessage(id)).split(/\{\w+\}/)
  const escaped = parts.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/\s/g, '\\s'))
  return new RegExp(escaped.join(gap), 'u')
}

function getMessage(id: string): string {
  const message = i18n.messages[id]
  if (typeof message !== 'string') throw new Error(`No catalog has the text ‘${id}’`)
  return message
}

const stripTags = (text: string) => text.replace(/<\/?\d+\/?>/g, '')

/** A text's ID, one value for each language, or a function called when the text is read. */
type Entry = string | Readonly<Record<Language, unknown>> | (() => unknown)
type Read<Of> = Of extends string
  ? string
  : Of extends Readonly<Record<Language, infer Value>>
    ? Value
    : Of extends () => infer Value
      ? Value
      : never

/** The language under test is chosen at each reading. */
export function defineTexts<const Entries extends Readonly<Record<string, Entry>>>(
  named: Entries,
): { readonly [Name in keyof Entries]: Read<Entries[Name]> } {
  const read = (entry: Entry) => {
    if (typeof entry === 'string') return getText(entry)
    return typeof entry === 'function' ? entry() : entry[getTestLanguage()]
  }
  const getters = Object.entries(named).map(([name, entry]) => {
    // A misspelled ID fails the whole file, even if no test reads it.
    read(entry)
    return [name, { enumerable: true, get: () => read(entry) }]
  })
  return Object.defineProperties({} as never, Object.fromEntries(getters))
}
