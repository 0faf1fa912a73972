import { Trans, useLingui } from '@lingui/react/macro'
import { Loader } from '@mantine/core'
import { type ComponentType, Suspense, useCallback, useEffect, useId, useRef, useState } from 'react'
import { importWithRetry } from '../../browser/importWithRetry.ts'
import { dropForms, keepForm } from '../../browser/keptForms.ts'
import { deviceStore, isStorageBlocked } from '../../browser/storage.ts'
import { hasGoogleAnswer } from '../../services/googleReturn.ts'
import { failureText } from '../../ui/failureText.ts'
import { GoogleButton } from '../../ui/google/GoogleButton.tsx'
import { lazyComponent, useLazyComponent } from '../../ui/lazyComponent.ts'
import { Notice } from '../../ui/Notice.tsx'
import { Tabs } from '../../ui/Tabs.tsx'
import classes from './AuthCard.module.css'
import type { AuthMode, AuthStart } from './authStart.ts'
import { EmailForm } from './EmailForm.tsx'

const PhoneForm = lazyComponent(async () => (await import('./PhoneForm.tsx')).PhoneForm)
const loadEndedNotice = () => importWithRetry(async () => (await import('./EndedNotice.tsx')).EndedNotice)
const loadGoogle = async () => (await import('../../ui/google/GoogleSignIn.tsx')).GoogleSignIn

/** The card to sign in or sign up, by e-mail, by phone or with Google. Specification, sections 2, 4 and 5. */
export function AuthCard({
  start,
  mode,
  onMode,
}: {
  start: AuthStart
  mode: AuthMode
  onMode: (mode: AuthMode) => void
}) {
  const { t, i18n } = useLingui()
  const [tab, setTab] = useState(start.tab)
  // Typed in the form of the other way in.
  const [number, setNumber] = useState<{ readonly typed: string } | null>(null)
  const GoogleSignIn = useLazyComponent(loadGoogle)
  // A session is seldom ended elsewhere, and the painted page does not know of it.
  const [EndedNotice, setEndedNotice] = useState<ComponentType<{ isExpected: boolean }> | null>(null)
  useEffect(() => {
    if (deviceStore.get('ended')) loadEndedNotice().then((loaded) => setEndedNotice(() => loaded))
  }, [])
  const [isGoogleAsked, setGoogleAsked] = useState(false)
  const title = useId()

  // This is said once the app is there, because the painted page does not know it.
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
    (changed?: { name: string; email: string }) => {
      typed.current = changed ?? typed.current
      const { name, email } = typed.current
      const isTouched =
        start.isKept || mode !== start.mode || tab !== start.tab || name !== '' || email !== start.email
      keepForm('access', location.search, isTouched ? { mode, tab, name, email } : null)
    },
    [start, mode, tab],
  )
  useEffect(() => keep(), [keep])
  // Somebody has signed in.
  useEffect(() => dropForms, [])

  return (
    <section className={classes.card} aria-labelledby={title}>
      <h2 id={title}>{mode === 'signIn' ? <Trans>Se connecter</Trans> : <Trans>Créer un compte</Trans>}</h2>
      {isBlocked && (
        <Notice kind="warning">
          {i18n._(failureText({ kind: 'auth', code: 'web-storage-unsupported' }))}
        </Notice>
      )}
      {EndedNotice && <EndedNotice isExpected={start.isVerified} />}
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
                    // The button that was pressed is gone with its panel.
                    document.querySelector<HTMLElement>('[data-name=email]')?.focus()
                  }}
                />
              </Suspense>
            ),
          },
        ]}
      />
      <div className={classes.third}>
        {GoogleSignIn ? (
          <GoogleSignIn purpose={mode} isAsked={isGoogleAsked} />
        ) : (
          <GoogleButton isBusy={isGoogleAsked || isBack} onClick={() => setGoogleAsked(true)} />
        )}
      </div>
    </section>
  )
}
