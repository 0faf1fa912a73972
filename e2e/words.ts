import { PAYMENT } from './words/payment.ts'
import { PROFILE } from './words/profile.ts'
import { SETTINGS } from './words/settings.ts'
import { SHELL } from './words/shell.ts'
import { TRANSFER } from './words/transfer.ts'
import { WAYS_IN } from './words/waysIn.ts'

/** The words that a test reads on the screen, by language; the app's own catalogs are not asked. */
export const WORDS = {
  fr: {
    ...WAYS_IN.fr,
    ...TRANSFER.fr,
    ...PAYMENT.fr,
    ...PROFILE.fr,
    ...SETTINGS.fr,
    ...SHELL.fr,
  },
  en: {
    ...WAYS_IN.en,
    ...TRANSFER.en,
    ...PAYMENT.en,
    ...PROFILE.en,
    ...SETTINGS.en,
    ...SHELL.en,
  },
} as const

export type Words = (typeof WORDS)['fr' | 'en']
