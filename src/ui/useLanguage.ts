import { useLingui } from '@lingui/react'
import type { Language } from '../../domain/language.ts'
import { currentLanguage } from './i18n.ts'

/** The language on screen. A component that asks for it is drawn anew when another one is chosen, even if its parent is not. */
export function useLanguage(): Language {
  useLingui()
  return currentLanguage()
}
