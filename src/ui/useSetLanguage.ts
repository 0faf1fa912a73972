import { useLingui } from '@lingui/react/macro'
import type { Language } from '../../domain/language.ts'
import { setLanguage } from './i18n.ts'
import { toast } from './toast.ts'

/** Changes the language of the app, and says so when it could not be loaded. */
export function useSetLanguage(): (language: Language) => void {
  const { t } = useLingui()
  return (language) => {
    setLanguage(language).catch(() =>
      toast('error', t`La langue n’a pas pu être chargée. Vérifiez votre connexion.`),
    )
  }
}
