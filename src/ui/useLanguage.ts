import { useLingui } from '@lingui/react'
import type { Language } from '../../domain/language.ts'
import { currentLanguage } from './i18n.ts'

/** The language on screen, for a component: it is drawn anew when another one is chosen, though its parent is not. */
export function useLanguage(): Language {
  useLingui()
  return currentLanguage()
}
