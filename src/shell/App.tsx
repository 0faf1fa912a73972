import type { MessageDescriptor } from '@lingui/core'
import { i18n } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { useSelector } from '@xstate/react'
import { lazy, Suspense, useCallback, useEffect, useRef } from 'react'
import type { ActorRefFrom } from 'xstate'
import type { BootNotice, bootMachine } from '../../machines/boot.ts'
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
const NOTICES: Record<Exclude<BootNotice, 'accountNotFound'>, [ToastKind, MessageDescriptor]> = {
  signedOutSuccess: ['success', msg`Votre session est fermée.`],
  signOutFailed: ['error', msg`La déconnexion a échoué. Réessayez.`],
  stillUnverified: ['info', msg`L’adresse n’est pas encore vérifiée. Ouvrez le lien reçu par e-mail.`],
  recheckFailed: ['error', msg`La vérification n’a pas pu être demandée. Réessayez dans un moment.`],
}

const WELCOME = msg`Bienvenue!`

/** Shows the screen that the boot machine is on. Specification, section 2. */
export function App({ boot }: { boot: ActorRefFrom<typeof bootMachine> }) {
  const state = useSelector(boot, (snapshot) => snapshot)
  const { session, notice } = state.context

  useEffect(() => {
    if (!notice) return
    if (notice !== 'accountNotFound') {
      const [kind, text] = NOTICES[notice]
      toast(kind, i18n._(text))
    }
    boot.send({ type: 'notice.dismiss' })
  }, [boot, notice])

  // People who hear the page, or use the keyboard, start a new screen at its heading.
  const screen = typeof state.value === 'string' ? state.value : (Object.keys(state.value)[0] ?? '')
  // Home tells by itself when it has something to show.
  useEffect(() => {
    if (screen !== 'loading' && screen !== 'signedIn') takePlace()
  }, [screen])
  const lastScreen = useRef(screen)
  const isNew = useRef(false)
  const focusWhatCameLater = useCallback(() => {
    if (isNew.current) focusHeading()
  }, [])
  useEffect(() => {
    isNew.current = lastScreen.current !== screen && screen !== 'loading' && lastScreen.current !== 'loading'
    if (isNew.current) focusHeading()
    // Somebody who was signed in already when the app opened is not greeted.
    if (screen === 'signedIn' && !['signedIn', 'loading'].includes(lastScreen.current))
      toast('success', i18n._(WELCOME))
    lastScreen.current = screen
  }, [screen])

  const recheck = useCallback(() => boot.send({ type: 'verification.recheck' }), [boot])
  const signOut = useCallback(() => boot.send({ type: 'session.signOut' }), [boot])

  if (state.matches('authError'))
    return <AuthErrorScreen onRetry={() => boot.send({ type: 'start.retry' })} />
  if (state.matches('signedOut')) return <SignedOutScreen />
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
