import { useLingui } from '@lingui/react'
import type { Language } from '../../domain/common/language.ts'
import { currentLanguage } from './i18n.ts'

/** The component renders again when the language changes, even if its parent doesn't. */
export function useLanguage(): Language {
  useLingui()
  return currentLanguage()
}
