// What the product says about money, word by word in both languages, by the screen where it appears: the title of a notice, then its
// sentences. The app's own catalogs are not asked: these are the words that somebody decided on, and a text that becomes another
// one on the way fails here.
import type { Language } from '../../domain/language.ts'

export type Said = Readonly<Record<Language, readonly [title: string, ...sentences: string[]]>>

export type Texts = Readonly<Record<string, Said>>
