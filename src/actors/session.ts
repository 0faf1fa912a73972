import { type AnyEventObject, fromCallback, fromPromise } from 'xstate'
import type { Account } from '../../domain/account/account.ts'
import { deriveSession, hasOnlyUnverifiedEmail, type SessionFacts } from '../../domain/account/session.ts'
import {
  type DeviceAccount,
  type EndingSession,
  type SessionEvent,
  sessionMachine,
} from '../../machines/session.ts'
import {
  forgetUserData,
  getRememberedProfile,
  isDeletingAccount,
  rememberProfile,
} from '../browser/deviceSession.ts'
import { runWhenIdle } from '../browser/firstScreen.ts'
import { reportError } from '../browser/reportError.ts'
import { setSignUpAddress } from '../browser/signUpAddress.ts'
import { deviceStore } from '../browser/storage.ts'
import { withTimeout } from '../browser/withTimeout.ts'
import { hasSignedOut, markSignedOut, unmarkSignedOut } from '../cache/signedOutUsers.ts'
import { hasGoogleAnswer } from '../services/googleReturn.ts'
import { getStoredAccount, hasStoredAccount, isAccountKey } from '../services/storedAccount.ts'

const loadAuth = () => import('../services/auth.ts')
const loadCache = () => import('../cache/database.ts')
const loadOpenWork = () => import('../cache/openWork.ts')
const loadPush = () => import('../pwa/pushDevice.ts')

export const sessionLogic = sessionMachine.provide({
  actors: {
    watchAccount: fromCallback<AnyEventObject>(({ sendBack }) => watchAccount(sendBack)),
    admit: fromPromise(({ input }) => admit(input)),
    readProfile: fromPromise(async ({ input: { account }, signal }) => {
      const profile = await readProfile(account, signal)
      return deriveSession({ account, profile, remembered: null })
    }),
    reloadAccount: fromPromise(async () => (await loadAuth()).reloadAccount()),
    signOut: fromPromise(({ input: { uid } }) => signOut(uid)),
    leaveMissingProfile: fromPromise(async ({ input: { uid, phone } }) => {
      deviceStore.set('forceSignUp', phone ? 'number' : 'account')
      const email = phone ? null : getStoredAccount()?.email
      if (email) setSignUpAddress(email)
      // Drop the link that opened this page, because it may select another way to sign in.
      else leaveLink()
      await signOut(uid)
    }),
    recordOpenPayment: fromPromise(({ input }) => recordOpenPayment(input)),
    clearDevice: fromPromise(({ input }) => clearDevice(input)),
  },
  actions: {
    reloadApp: () => location.reload(),
    reportFailure: ({ event }) => reportError('start', event),
  },
})

/** In milliseconds. The next start repeats it. */
const UNSUBSCRIBES_WITHIN = 5000

async function signOut(uid: string) {
  deviceStore.set('leaving', uid)
  try {
    // The server must know whose device this is, so unsubscribe before the sign-out.
    await withTimeout(
      ifPushed(({ unsubscribeDevice }) => unsubscribeDevice()),
      UNSUBSCRIBES_WITHIN,
    ).catch(ignore)
    await (await loadAuth()).signOut()
    // From now on another tab may note a payment that this sign-out interrupts.
    deviceStore.set('ended', null)
    deviceStore.set('unconfirmed', null)
  } catch (error) {
    deviceStore.set('leaving', null)
    throw error
  }
}

/** Broken storage must not prevent the sign-out. */
async function clearDevice({ uid, reason }: EndingSession) {
  deviceStore.set('clearing', uid)
  markSignedOut(uid)
  forgetUserData(uid)
  if (deviceStore.get('push')?.uid === uid) await ifPushed(({ unsubscribeLocally }) => unsubscribeLocally())
  if (reason !== 'expired') await loadOpenWork().then(({ forgetOpenWork }) => forgetOpenWork(), ignore)
  await loadCache()
    .then(({ forgetUser }) => forgetUser(uid))
    .catch(ignore)
  deviceStore.set('clearing', null)
  // Deleted last, because other tabs read from this note how the session ended.
  if (reason === 'signOut' || reason === 'interrupted' || reason === 'profileMissing')
    deviceStore.set('leaving', null)
}

/** The next start repeats work that failed. */
const ifPushed = async (work: (device: Awaited<ReturnType<typeof loadPush>>) => Promise<void>) => {
  if (deviceStore.get('push')) await loadPush().then(work).catch(ignore)
}

async function recordOpenPayment({ uid, reason }: EndingSession) {
  const open = await loadOpenWork()
    .then(({ findOpenPayment }) => findOpenPayment(uid))
    .catch(() => null)
  const payment = !open ? 'none' : open.isUnpaid ? 'unpaid' : 'maybePaid'
  // A user who has signed out in another tab expects the end of the session, but not that a card was charged.
  if (reason === 'elsewhere' && payment !== 'maybePaid') return
  // Keep the note of another tab that had the payment open.
  if (!open && deviceStore.get('ended')?.uid === uid) return
  deviceStore.set('ended', { uid, payment, attemptId: open?.attemptId ?? null })
}

async function admit({ uid, reason }: EndingSession) {
  unmarkSignedOut(uid)
  if (isVerifiedLink()) leaveLink()
  const ended = deviceStore.get('ended')
  if (!ended && reason !== 'expired') return
  const isBack = await loadOpenWork()
    .then(({ restoreOpenWork }) => restoreOpenWork(uid))
    .catch(() => false)
  // Keep the note if this page has lost the payment: the home screen then asks the server about it.
  if (isBack || ended?.uid !== uid || ended.attemptId === null) deviceStore.set('ended', null)
}

function watchAccount(sendBack: (event: SessionEvent) => void) {
  let isStopped = false
  let stopWatching = () => {}
  const isStored = hasStoredAccount()
  const stored = getStoredAccount()
  const leaving = deviceStore.get('leaving') ?? (isStored ? null : deviceStore.get('clearing'))
  const account = knowAccount(stored)
  // Only the SDK can tell who has signed in if the stored account can't be read.
  if (stored || !isStored) sendBack({ type: 'device.read', account, signOutUid: leaving })
  if (!isStored && !leaving) ifPushed(({ unsubscribeLocally }) => unsubscribeLocally())

  const begin = async () => {
    try {
      const { watchAccount, reloadAccount } = await loadAuth()
      if (isStopped) return
      // A link that changed the address ends this session, so the call fails; the sign-in card then reads
      // `emailVerified` from the address bar. Specification, section 2.
      if (isVerifiedLink()) reloadAccount().then(({ emailVerified }) => emailVerified && leaveLink(), ignore)
      stopWatching = watchAccount((account) => {
        const leaving = deviceStore.get('leaving')
        // The user may have signed out and in again while this tab was asleep.
        if (account && account.uid !== leaving && account.uid !== deviceStore.get('clearing'))
          unmarkSignedOut(account.uid)
        sendBack({ type: 'account.changed', account: knowAccount(account), signOutUid: leaving })
      })
    } catch {
      if (isStopped) return
      if (hasStoredAccount()) sendBack({ type: 'account.unreachable' })
      stopWatching = onceUsed(begin)
    }
  }
  const isOpen = account && stored?.uid !== leaving && (account.remembered || hasOnlyUnverifiedEmail(account))
  // A window that returns from Google signs in without another tap.
  if (!isStored && !hasGoogleAnswer()) stopWatching = onceUsed(begin)
  else if (!isStored || isOpen) runWhenIdle(begin)
  else begin()

  return () => {
    isStopped = true
    stopWatching()
  }
}

const knowAccount = (account: Account | null): DeviceAccount | null =>
  account && { ...account, remembered: getRememberedProfile(account.uid) }

const isVerifiedLink = () => new URLSearchParams(location.search).has('emailVerified')

const leaveLink = () => {
  const proof = new URLSearchParams(location.search).get('proof')
  if (proof) deviceStore.set('addressProof', proof)
  history.replaceState(history.state, '', '/')
}

/** The sign-in SDK has nothing to do until the user uses the page or signs in in another tab. */
function onceUsed(begin: () => void): () => void {
  const waiting = new AbortController()
  const { signal } = waiting
  const go = () => {
    waiting.abort()
    begin()
  }
  for (const sign of ['focusin', 'pointerdown', 'keydown', 'input', 'click'])
    addEventListener(sign, go, { signal })
  window.addEventListener('storage', ({ key }) => key !== null && isAccountKey(key) && go(), { signal })
  return () => waiting.abort()
}

async function readProfile(account: Account, signal: AbortSignal): Promise<SessionFacts['profile']> {
  // The database's rules deny this account its profile.
  if (hasOnlyUnverifiedEmail(account)) return 'unverified'
  const { uid } = account
  const isLate = () => signal.aborted || hasSignedOut(uid)
  try {
    const { fetchProfile, saveProfile } = await import('../services/profiles.ts')
    const stored = await fetchProfile(uid)
    if (!stored) return (await isDeletingAccount(uid)) ? 'unreachable' : 'missing'
    if (isLate()) return 'unreachable'
    if (account.email && account.email !== stored.verifiedAddress) {
      const { confirmAddress } = await import('../services/addressConfirmation.ts')
      const held = await confirmAddress({ ...stored, ...account })
      if (held) return held
      if (isLate()) return 'unreachable'
    }
    // Address and number may have changed after the profile was requested.
    const kept = getStoredAccount()
    const { email, phone } = kept?.uid === uid ? kept : account
    const proven = { email: email ?? stored.email, phone: phone ?? stored.phone }
    const profile = { ...stored, ...proven }
    if (proven.email !== stored.email || proven.phone !== stored.phone) saveProfile(uid, proven).catch(ignore)
    rememberProfile(uid, profile)
    // The screens read the plan from this row.
    loadCache()
      .then(({ withRows }) => withRows(uid, ({ profiles }) => profiles.put(profile)))
      .catch(ignore)
    return profile
  } catch {
    return 'unreachable'
  }
}

function ignore() {}
