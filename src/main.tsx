// The composition root: settings, language and the boot machine, then the app.
import '@mantine/core/styles/baseline.css'
import '@mantine/core/styles/default-css-variables.css'
import '@mantine/core/styles/global.css'
import './ui/components.css'
import './ui/theme.css'
import { i18n } from '@lingui/core'
import { I18nProvider } from '@lingui/react'
import { MantineProvider } from '@mantine/core'
import { Notifications } from '@mantine/notifications'
import { createRoot } from 'react-dom/client'
import { createActor } from 'xstate'
import { boot } from './actors/boot.ts'
import { checkSettings } from './services/checkSettings.ts'
import { speak, storedLanguage } from './ui/i18n.ts'
import { App } from './ui/shell/App.tsx'
import { theme } from './ui/theme.ts'
import { MOST_TOASTS } from './ui/toast.ts'

const root = document.getElementById('root')
const problems = checkSettings(import.meta.env)

if (root && problems.length > 0) {
  // Said to whoever deploys, before there is a language: these are names of settings.
  root.textContent = `Passerelle: ${problems.map(({ setting, kind }) => `${setting} is ${kind}`).join(', ')}`
} else if (root) {
  await speak(storedLanguage())
  const actor = createActor(boot).start()
  createRoot(root).render(
    <I18nProvider i18n={i18n}>
      <MantineProvider
        theme={theme}
        defaultColorScheme="auto"
        withCssVariables={false}
        withGlobalClasses={false}
      >
        <App boot={actor} />
        <Notifications position="top-center" limit={MOST_TOASTS} />
      </MantineProvider>
    </I18nProvider>,
  )
}
