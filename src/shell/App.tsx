import type { MessageDescriptor } from '@lingui/core'
import { i18n } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { useSelector } from '@xstate/react'
import { lazy, Suspense, useCallback, useEffect, useRef } from 'react'
import type { ActorRefFrom } from 'xstate'
import type { SessionNotice, sessionMachine } from '../../machines/session.ts'
import { takePlace } from '../browser/behindSnapshot.ts'
import { importWithRetry } from '../browser/importWithRetry.ts'
import { SignedOutScreen } from '../features/auth/SignedOutScreen.tsx'
import { VerificationScreen } from '../features/auth/VerificationScreen.tsx'
import { focusHeading } from '../ui/focusHeading.ts'
import { loadSignedIn, withPages } from '../ui/i18n.ts'
import { type ToastKind, toast } from '../ui/toast.ts'
import { AuthErrorScreen } from './AuthErrorScreen.tsx'
import { WaitingScreen } from './WaitingScreen.tsx'

// These are needed only once somebody is signed in.
const Home = lazy(() =>
  importWithRetry(async () => {
    const [home] = await Promise.all([import('./Home.tsx'), loadSignedIn()])
    return home
  }),
)

const HeldScreen = lazy(() => importWithRetry(() => withPages(import('./HeldScreen.tsx'))))

/** The sign-up itself says that an account is missing, because a toast would be gone too soon. */
const NOTICES: Record<Exclude<SessionNotice, 'accountNotFound'>, [ToastKind, MessageDescriptor]> = {
  signedOutSuccess: ['success', msg`Votre session est fermée.`],
  signOutFailed: ['error', msg`La déconnexion a échoué. Réessayez.`],
  stillUnverified: ['info', msg`L’adresse n’est pas encore vérifiée. Ouvrez le lien reçu par e-mail.`],
  recheckFailed: ['error', msg`La vérification n’a pas pu être demandée. Réessayez dans un moment.`],
}

const WELCOME = msg`Bienvenue!`

/** Shows the screen that the session machine is on. Specification, section 2. */
export function App({ session: actor }: { session: ActorRefFrom<typeof sessionMachine> }) {
  const state = useSelector(actor, (snapshot) => snapshot)
  const { session, notice } = state.context

  useEffect(() => {
    if (!notice) return
    if (notice !== 'accountNotFound') {
      const [kind, text] = NOTICES[notice]
      toast(kind, i18n._(text))
    }
    actor.send({ type: 'notice.dismiss' })
  }, [actor, notice])

  // People who hear the page, or use the keyboard, start a new screen at its heading.
  const screen = state.matches('signedOut') ? 'signedOut' : state.hasTag('failed') ? 'failed' : session?.kind
  // Home tells by itself when it has something to show.
  useEffect(() => {
    if (screen && screen !== 'ready') takePlace()
  }, [screen])
  const hasScreen = useRef(false)
  const isNew = useRef(false)
  const focusWhatCameLater = useCallback(() => {
    if (isNew.current) focusHeading()
  }, [])
  useEffect(() => {
    isNew.current = hasScreen.current
    if (isNew.current) focusHeading()
    // A user who was signed in already when the app opened is not greeted.
    if (isNew.current && screen === 'ready') toast('success', i18n._(WELCOME))
    if (screen) hasScreen.current = true
  }, [screen])

  const recheck = useCallback(() => actor.send({ type: 'verification.recheck' }), [actor])
  const signOut = useCallback(() => actor.send({ type: 'session.signOut' }), [actor])

  if (screen === 'failed') return <AuthErrorScreen onRetry={() => actor.send({ type: 'start.retry' })} />
  if (screen === 'signedOut') return <SignedOutScreen />
  if (session?.kind === 'unverified')
    return <VerificationScreen email={session.email} onRecheck={recheck} onLeave={signOut} />
  if (session?.kind === 'held')
    return (
      <Suspense fallback={<WaitingScreen />}>
        <HeldScreen session={session} onLeave={signOut} />
        <Arrival onArrive={focusWhatCameLater} />
      </Suspense>
    )
  if (session?.kind === 'ready')
    return (
      <Suspense fallback={<WaitingScreen />}>
        <Home
          key={session.uid}
          uid={session.uid}
          name={session.name}
          email={session.email}
          phone={session.phone}
          onSignOut={signOut}
        />
        <Arrival onArrive={focusWhatCameLater} />
      </Suspense>
    )
  return <WaitingScreen />
}

/** Stands beside other parts of a screen, and tells when all of them are there and none is suspended. */
function Arrival({ onArrive }: { onArrive: () => void }) {
  useEffect(onArrive, [onArrive])
  return null
}
