import { i18n } from '@lingui/core'
import { I18nProvider } from '@lingui/react'
import { MantineProvider } from '@mantine/core'
import { MissingCodeText, ReopenButton } from '../ui/Reopen.tsx'
import { theme } from '../ui/theme.tsx'
import toast from '../ui/toast.module.css'

/** The inline script handles the notice's button. */
export const LateAppNotice = () => (
  <I18nProvider i18n={i18n}>
    <MantineProvider theme={theme} withCssVariables={false} withGlobalClasses={false}>
      <div className={toast.toasts} role="alert">
        <div className={toast.toast} data-kind="error">
          <MissingCodeText />
          <div className={toast.ways}>
            <ReopenButton />
          </div>
        </div>
      </div>
    </MantineProvider>
  </I18nProvider>
)
