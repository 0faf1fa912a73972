import type { MessageDescriptor } from '@lingui/core'
import { i18n } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { useSelector } from '@xstate/react'
import { type ComponentType, lazy, Suspense, useCallback, useEffect, useLayoutEffect, useRef } from 'react'
import type { ActorRefFrom } from 'xstate'
import type { SessionNotice, sessionMachine } from '../../machines/session.ts'
import { importWithRetry } from '../browser/importWithRetry.ts'
import { deleteSavedForms } from '../browser/savedForms.ts'
import { setSignInAddress } from '../browser/signUpAddress.ts'
import { revealApp } from '../browser/snapshotReplacement.ts'
import { SignedOutScreen } from '../features/auth/SignedOutScreen.tsx'
import { focusHeading } from '../ui/focusHeading.ts'
import { loadWithPageMessages } from '../ui/i18n.ts'
import { showToast, type ToastKind } from '../ui/toast.ts'
import { AuthErrorScreen } from './AuthErrorScreen.tsx'
import type { HomeProps } from './Home.tsx'
import { WaitingScreen } from './WaitingScreen.tsx'

let Home: ComponentType<HomeProps> = lazy(() => importWithRetry(() => import('./Home.tsx')))

/** Without it, a waiting screen would come between the snapshot and the home screen. */
export async function loadHomeBeforeRender() {
  Home = (await import('./Home.tsx')).default
}

const VerificationScreen = lazy(() =>
  importWithRetry(() => import('../features/auth/VerificationScreen.tsx')),
)

const HeldAccountScreen = lazy(() =>
  importWithRetry(() => loadWithPageMessages(import('./HeldAccountScreen.tsx'))),
)

/** A toast would disappear too soon, so the sign-up reports a missing account. */
const NOTICES: Record<Exclude<SessionNotice, 'accountNotFound'>, [ToastKind, MessageDescriptor]> = {
  signedOutSuccess: ['success', msg`Votre session est fermée.`],
  signOutFailed: ['error', msg`La déconnexion a échoué. Réessayez.`],
  stillUnverified: ['info', msg`L’adresse n’est pas encore vérifiée. Ouvrez le lien reçu par e-mail.`],
  recheckFailed: ['error', msg`Nous n’avons pas pu vérifier votre adresse e-mail. Réessayez dans un moment.`],
}

const WELCOME = msg`Bienvenue!`

/** Specification, section 2. */
export function App({ session: actor }: { session: ActorRefFrom<typeof sessionMachine> }) {
  const state = useSelector(actor, (snapshot) => snapshot)
  const { session, notice } = state.context

  useEffect(() => {
    if (!notice) return
    if (notice !== 'accountNotFound') {
      const [kind, text] = NOTICES[notice]
      showToast(kind, i18n._(text))
    }
    actor.send({ type: 'notice.dismiss' })
  }, [actor, notice])

  // A new screen starts at its heading for screen readers and keyboards.
  const screen = state.matches('signedOut') ? 'signedOut' : state.hasTag('failed') ? 'failed' : session?.kind
  // The home screen reveals the app itself.
  useEffect(() => {
    if (screen && screen !== 'ready') revealApp()
  }, [screen])
  const last = useRef<typeof screen | null>(null)
  const hasScreen = useRef(false)
  const isNew = useRef(false)
  const focusWhatCameLater = useCallback(() => {
    if (isNew.current) focusHeading()
  }, [])
  useEffect(() => {
    // Effects run twice under StrictMode.
    if (last.current === screen) return
    if (last.current === 'signedOut') deleteSavedForms()
    last.current = screen
    isNew.current = hasScreen.current
    if (isNew.current) focusHeading()
    // Don't greet a user who was already signed in when the app opened.
    if (isNew.current && screen === 'ready') showToast('success', i18n._(WELCOME))
    if (screen) hasScreen.current = true
  }, [screen])

  const recheck = useCallback(() => actor.send({ type: 'verification.recheck' }), [actor])
  const signOut = useCallback(() => actor.send({ type: 'session.signOut' }), [actor])

  const backToSignIn = useCallback(() => {
    setSignInAddress()
    signOut()
  }, [signOut])

  if (screen === 'failed') return <AuthErrorScreen onRetry={() => actor.send({ type: 'start.retry' })} />
  if (screen === 'signedOut') return <SignedOutScreen />
  if (!session || session.kind === 'profileMissing') return <WaitingScreen />
  return (
    <Suspense fallback={<WaitingScreen />}>
      {session.kind === 'unverified' && (
        <VerificationScreen
          email={session.email}
          isBusy={state.hasTag('busy')}
          onRecheck={recheck}
          onLeave={backToSignIn}
        />
      )}
      {session.kind === 'held' && <HeldAccountScreen session={session} onLeave={signOut} />}
      {session.kind === 'ready' && (
        <Home
          key={session.uid}
          uid={session.uid}
          name={session.name}
          email={session.email}
          phone={session.phone}
          onSignOut={signOut}
        />
      )}
      <Arrival onArrive={focusWhatCameLater} />
    </Suspense>
  )
}

/** A later effect would leave the screen without focus until then, and a key would go elsewhere. */
function Arrival({ onArrive }: { onArrive: () => void }) {
  useLayoutEffect(onArrive, [onArrive])
  return null
}
