import type { Language } from '../../domain/common/language.ts'
import { deviceStore } from './storage.ts'

export const LANGUAGES: readonly Language[] = ['fr', 'en']

/** French until the user chooses. Specification, section 9. */
export const getStoredLanguage = (): Language =>
  LANGUAGES.find((one) => one === deviceStore.get('language')) ?? 'fr'
