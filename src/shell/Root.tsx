import { i18n } from '@lingui/core'
import { I18nProvider } from '@lingui/react'
import { useLayoutEffect } from 'react'
import type { ActorRefFrom } from 'xstate'
import type { sessionMachine } from '../../machines/session.ts'
import { followColorScheme } from '../ui/colorScheme.ts'
import { ErrorBoundary } from '../ui/ErrorBoundary.tsx'
import { useLazyComponent } from '../ui/lazyComponent.ts'
import { ThemeProvider } from '../ui/ThemeProvider.tsx'
import { App } from './App.tsx'
import { CrashScreen } from './CrashScreen.tsx'
import { Toasts } from './Toasts.tsx'

/** The prerendered pages have the same tree. `onMount` is a layout effect, and may return its cleanup. */
export function Root({
  session,
  onMount,
}: {
  session: ActorRefFrom<typeof sessionMachine>
  onMount?: () => () => void
}) {
  useLayoutEffect(() => onMount?.(), [onMount])
  useLayoutEffect(followColorScheme, [])
  return (
    <I18nProvider i18n={i18n}>
      <ThemeProvider>
        <ErrorBoundary instead={() => <CrashScreen />}>
          <App session={session} />
        </ErrorBoundary>
        <ErrorBoundary instead={() => null}>
          <Toasts />
          <Update />
        </ErrorBoundary>
      </ThemeProvider>
    </I18nProvider>
  )
}

const loadUpdateOffer = async () => (await import('./UpdateOffer.tsx')).UpdateOffer

function Update() {
  const UpdateOffer = useLazyComponent(loadUpdateOffer)
  return UpdateOffer && <UpdateOffer />
}
