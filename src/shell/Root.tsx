import { i18n } from '@lingui/core'
import { I18nProvider } from '@lingui/react'
import { MantineProvider } from '@mantine/core'
import { useLayoutEffect } from 'react'
import type { ActorRefFrom } from 'xstate'
import type { sessionMachine } from '../../machines/session.ts'
import { useLazyComponent } from '../ui/lazyComponent.ts'
import { Toasts } from '../ui/Toasts.tsx'
import { theme } from '../ui/theme.tsx'
import { App } from './App.tsx'
import { Crash } from './Crash.tsx'

/** The whole app; the same tree in the browser and in the pages that the build paints ahead. */
export function Root({
  session,
  onFirstRender,
}: {
  session: ActorRefFrom<typeof sessionMachine>
  onFirstRender?: () => void
}) {
  useLayoutEffect(() => onFirstRender?.(), [onFirstRender])
  return (
    <I18nProvider i18n={i18n}>
      <MantineProvider
        theme={theme}
        defaultColorScheme="auto"
        withCssVariables={false}
        withGlobalClasses={false}
      >
        <Crash>
          <App session={session} />
        </Crash>
        <Toasts />
        <Update />
      </MantineProvider>
    </I18nProvider>
  )
}

const loadUpdateOffer = async () => (await import('./UpdateOffer.tsx')).UpdateOffer

/** The first screen needs nothing of this, so its code is fetched when the browser is idle. */
function Update() {
  const UpdateOffer = useLazyComponent(loadUpdateOffer)
  return UpdateOffer && <UpdateOffer />
}
