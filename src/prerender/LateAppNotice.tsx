import { i18n } from '@lingui/core'
import { I18nProvider } from '@lingui/react'
import { MissingCodeText, ReopenButton } from '../ui/Reopen.tsx'
import { ThemeProvider } from '../ui/ThemeProvider.tsx'
import toast from '../ui/toast.module.css'

/** The inline script handles the notice's button. */
export const LateAppNotice = () => (
  <I18nProvider i18n={i18n}>
    <ThemeProvider>
      <div className={toast.toasts} role="alert">
        <div className={toast.toast} data-kind="error">
          <MissingCodeText />
          <div className={toast.ways}>
            <ReopenButton />
          </div>
        </div>
      </div>
    </ThemeProvider>
  </I18nProvider>
)
