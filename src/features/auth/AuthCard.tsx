import { Trans, useLingui } from '@lingui/react/macro'
import { Loader } from '@mantine/core'
import { type ComponentType, Suspense, useCallback, useEffect, useId, useRef, useState } from 'react'
import { importWithRetry } from '../../browser/importWithRetry.ts'
import { isInAppBrowser } from '../../browser/inAppBrowser.ts'
import { parseReturnAddress } from '../../browser/returnAddress.ts'
import { saveForm } from '../../browser/savedForms.ts'
import { deviceStore, isStorageBlocked } from '../../browser/storage.ts'
import { hasGoogleAnswer } from '../../services/googleReturn.ts'
import { getFailureText } from '../../ui/failureText.ts'
import { GoogleButton } from '../../ui/google/GoogleButton.tsx'
import { loadWithPageMessages } from '../../ui/i18n.ts'
import { createLazyComponent, useLazyComponent } from '../../ui/lazyComponent.ts'
import { Notice } from '../../ui/Notice.tsx'
import classes from './AuthCard.module.css'
import { EmailForm } from './EmailForm.tsx'
import type { AuthMode, InitialAuthState } from './readAuthStart.ts'
import { Tabs } from './Tabs.tsx'

const PhoneForm = createLazyComponent(async () => (await import('./PhoneForm.tsx')).PhoneForm)
const loadSessionEndedNotice = () =>
  importWithRetry(
    async () => (await loadWithPageMessages(import('./SessionEndedNotice.tsx'))).SessionEndedNotice,
  )
const loadGoogle = async () =>
  isInAppBrowser()
    ? (await loadWithPageMessages(import('./OtherBrowserNotice.tsx'))).OtherBrowserNotice
    : (await import('../../ui/google/GoogleSignIn.tsx')).GoogleSignIn

/** Specification, sections 2, 4 and 5. */
export function AuthCard({
  start,
  mode,
  onMode,
}: {
  start: InitialAuthState
  mode: AuthMode
  onMode: (mode: AuthMode) => void
}) {
  const { t, i18n } = useLingui()
  const [tab, setTab] = useState(start.tab)
  const [number, setNumber] = useState<{ readonly typed: string } | null>(null)
  const GoogleSignIn = useLazyComponent(loadGoogle)
  // The prerendered page doesn't contain this notice.
  const [SessionEndedNotice, setSessionEndedNotice] = useState<ComponentType<{ isExpected: boolean }> | null>(
    null,
  )
  useEffect(() => {
    if (deviceStore.get('ended') || parseReturnAddress())
      loadSessionEndedNotice().then((loaded) => setSessionEndedNotice(() => loaded))
  }, [])
  const [googleRequests, setGoogleRequests] = useState(0)
  const requestGoogle = () => setGoogleRequests((count) => count + 1)
  const title = useId()

  // The prerendered page doesn't know these facts.
  const [isBlocked, setBlocked] = useState(false)
  const [isBack, setBack] = useState(false)
  useEffect(() => {
    setBlocked(isStorageBlocked())
    setBack(hasGoogleAnswer())
  }, [])

  const choose = useCallback(
    (chosen: AuthMode) => {
      if (chosen === 'signIn') deviceStore.set('forceSignUp', null)
      onMode(chosen)
    },
    [onMode],
  )

  const typed = useRef({ name: start.name, email: start.email })
  const keep = useCallback(
    (next?: { name: string; email: string }) => {
      typed.current = next ?? typed.current
      const { name, email } = typed.current
      const isTouched =
        start.isKept || mode !== start.mode || tab !== start.tab || name !== '' || email !== start.email
      saveForm('access', location.search, isTouched ? { mode, tab, name, email } : null)
    },
    [start, mode, tab],
  )
  useEffect(() => keep(), [keep])

  return (
    <section className={classes.card} aria-labelledby={title}>
      <h2 id={title}>{mode === 'signIn' ? <Trans>Se connecter</Trans> : <Trans>Créer un compte</Trans>}</h2>
      {isBlocked && (
        <Notice kind="warning">
          {i18n._(getFailureText({ kind: 'auth', code: 'web-storage-unsupported' }))}
        </Notice>
      )}
      {SessionEndedNotice && <SessionEndedNotice isExpected={start.isVerified} />}
      <Tabs
        label={t`Se connecter par`}
        chosen={tab}
        onChoose={setTab}
        tabs={[
          {
            name: 'email',
            label: <Trans>E-mail</Trans>,
            panel: (
              <EmailForm
                start={start}
                mode={mode}
                onMode={choose}
                onType={keep}
                onNumber={(typed) => {
                  setNumber({ typed })
                  setTab('phone')
                }}
                onGoogle={requestGoogle}
              />
            ),
          },
          {
            name: 'phone',
            label: <Trans>Téléphone</Trans>,
            panel: (
              <Suspense fallback={<Loader aria-label={t`Un instant…`} />}>
                <PhoneForm
                  mode={mode}
                  forced={start.forced}
                  number={number}
                  onMode={choose}
                  onEmail={() => {
                    setTab('email')
                    // The pressed button is hidden with its panel, so the email tab takes the focus.
                    document.querySelector<HTMLElement>('[data-name=email]')?.focus()
                  }}
                />
              </Suspense>
            ),
          },
        ]}
      />
      {GoogleSignIn ? (
        <GoogleSignIn key={googleRequests} purpose={mode} isAsked={googleRequests > 0} />
      ) : (
        <GoogleButton isBusy={googleRequests > 0 || isBack} onClick={requestGoogle} />
      )}
    </section>
  )
}
