import { useLingui } from '@lingui/react/macro'
import type { Language } from '../../domain/common/language.ts'
import { setLanguage } from './i18n.ts'
import { showToast } from './toast.ts'

export function useSetLanguage(): (language: Language) => void {
  const { t } = useLingui()
  return (language) => {
    setLanguage(language).catch(() =>
      showToast('error', t`La langue n’a pas pu être chargée. Vérifiez votre connexion.`),
    )
  }
}
