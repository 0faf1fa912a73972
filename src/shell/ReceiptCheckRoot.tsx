import { i18n } from '@lingui/core'
import { I18nProvider } from '@lingui/react'
import { useLayoutEffect } from 'react'
import { ReceiptCheckPage } from '../features/receiptCheck/ReceiptCheckPage.tsx'
import { followColorScheme } from '../ui/colorScheme.ts'
import { ErrorBoundary } from '../ui/ErrorBoundary.tsx'
import { ThemeProvider } from '../ui/ThemeProvider.tsx'
import { CrashScreen } from './CrashScreen.tsx'

export function ReceiptCheckRoot() {
  useLayoutEffect(followColorScheme, [])
  return (
    <I18nProvider i18n={i18n}>
      <ThemeProvider>
        <ErrorBoundary instead={() => <CrashScreen />}>
          <ReceiptCheckPage />
        </ErrorBoundary>
      </ThemeProvider>
    </I18nProvider>
  )
}
