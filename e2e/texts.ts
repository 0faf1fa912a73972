import { readFileSync } from 'node:fs'
import { setupI18n, type Values } from '@lingui/core'
import type { Language } from '../domain/language.ts'
import { CATALOGS, entries } from '../scripts/checks/catalogs.ts'
import { frenchSpaces } from '../src/ui/typography.ts'

// A test names a text of the app by its id, which is the French source text, and reads it in the language under test.
// scripts/checks/moneyTexts.test.ts shows what these texts say to a reviewer.

const i18n = setupI18n()
for (const name of CATALOGS) {
  const language = name.slice(-2)
  const po = readFileSync(new URL(`../src/locales/${name}.po`, import.meta.url), 'utf8')
  const texts = [...entries(po)].map(([id, text]) => [id, language === 'fr' ? frenchSpaces(text) : text])
  i18n.load(language, Object.fromEntries(texts))
}
i18n.activate('fr')

/** Sets the language under test. */
export const speakIn = (language: Language) => i18n.activate(language)

/** Returns the language under test. */
export const currentLanguage = () => i18n.locale as Language

/** Returns a text in the language under test, without its tags. If it gets no values, it ends before its first gap. */
export function say(id: string, values?: Values): string {
  const message = messageOf(id)
  return stripTags(values ? i18n._(id, values) : message.replace(/\{.*/s, '')).trim()
}

/** Returns a pattern for a text: each gap holds what `gap` matches, and any kind of space matches any other. */
export function pattern(id: string, gap = '.+'): RegExp {
  const parts = stripTags(messageOf(id)).split(/\{\w+\}/)
  const escaped = parts.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/\s/g, '\\s'))
  return new RegExp(escaped.join(gap), 'u')
}

function messageOf(id: string): string {
  const message = i18n.messages[id]
  if (typeof message !== 'string') throw new Error(`No catalog has the text ‘${id}’`)
  return message
}

const stripTags = (text: string) => text.replace(/<\/?\d+\/?>/g, '')

/** A text by its id, another value for each language, or a function that is called when the text is read. */
type Entry = string | Readonly<Record<Language, unknown>> | (() => unknown)
type Read<Of> = Of extends string
  ? string
  : Of extends Readonly<Record<Language, infer Value>>
    ? Value
    : Of extends () => infer Value
      ? Value
      : never

/** Texts under short names, each read in the language under test. */
export function texts<const Entries extends Readonly<Record<string, Entry>>>(
  named: Entries,
): { readonly [Name in keyof Entries]: Read<Entries[Name]> } {
  const read = (entry: Entry) => {
    if (typeof entry === 'string') return say(entry)
    return typeof entry === 'function' ? entry() : entry[currentLanguage()]
  }
  const getters = Object.entries(named).map(([name, entry]) => {
    // A misspelt id fails the whole file, even if no test reads it.
    read(entry)
    return [name, { enumerable: true, get: () => read(entry) }]
  })
  return Object.defineProperties({} as never, Object.fromEntries(getters))
}
