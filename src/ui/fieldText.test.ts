import { i18n } from '@lingui/core'
import { expect, test } from 'vitest'
import { getCodeProblemText } from './fieldText.ts'
import { loadLanguage } from './i18n.ts'

test.each([
  ['fr', 'noCode', 'Aucun code à vérifier. Réessayez.'],
  ['fr', 'codeRequired', 'Saisissez le code reçu par SMS'],
  ['en', 'noCode', 'No code to verify. Please try again.'],
  ['en', 'codeRequired', 'Enter the code received by text message'],
] as const)(
  'the code field shows its message in %s for the problem %s @spec-no-code',
  async (language, kind, text) => {
    await loadLanguage(language)
    expect(getCodeProblemText({ field: 'code', kind }, i18n)).toBe(text)
  },
)
