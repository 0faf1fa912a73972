import { type AnyEventObject, fromCallback, fromPromise } from 'xstate'
import type { Account } from '../../domain/account.ts'
import { deriveSession, isUnproven, type SessionFacts } from '../../domain/session.ts'
import { type Ending, type KnownAccount, type SessionEvent, sessionMachine } from '../../machines/session.ts'
import { forgetPerson, isEnding, rememberedProfile, rememberProfile } from '../browser/deviceSession.ts'
import { leadToSignUp } from '../browser/signUpAddress.ts'
import { deviceStore } from '../browser/storage.ts'
import { hasStoredAccount, isAccountKey, storedAccount } from '../browser/storedAccount.ts'
import { hasLeft, noteLeft, welcomeUser } from '../cache/signedOutUsers.ts'
import { hasGoogleAnswer } from '../services/googleReturn.ts'

// The SDKs are large: each is fetched when it is needed.
const loadAuth = () => import('../services/auth.ts')
const loadProfiles = () => import('../services/profiles.ts')
const loadConfirmation = () => import('../services/addressConfirmation.ts')
const loadCache = () => import('../cache/database.ts')
const loadUnderWay = () => import('../cache/underWay.ts')
const loadPush = () => import('../pwa/pushDevice.ts')

/** The session machine with everything it needs in a browser. */
export const session = sessionMachine.provide({
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
      const email = phone ? null : storedAccount()?.email
      if (email) leadToSignUp(email)
      // The link that led to this sign-in may name another way.
      else leaveLink()
      await signOut(uid)
    }),
    noteOpenPayment: fromPromise(({ input }) => noteOpenPayment(input)),
    clearDevice: fromPromise(({ input }) => clearDevice(input)),
  },
  actions: { reloadApp: () => location.reload() },
})

async function signOut(uid: string) {
  deviceStore.set('leaving', uid)
  try {
    // The server needs to know who unsubscribes.
    await ifPushed(({ unsubscribeDevice }) => unsubscribeDevice())
    await (await loadAuth()).signOut()
    // From here on another tab may note the payment that this sign-out interrupts there.
    deviceStore.set('ended', null)
    deviceStore.set('unconfirmed', null)
  } catch (error) {
    deviceStore.set('leaving', null)
    throw error
  }
}

/** A device whose storage is broken has no data to delete, and does not stop the sign-out. */
async function clearDevice({ uid, reason }: Ending) {
  deviceStore.set('clearing', uid)
  noteLeft(uid)
  forgetPerson()
  await ifPushed(({ dropPush }) => dropPush())
  if (reason !== 'expired') await loadUnderWay().then(({ forgetUnderWay }) => forgetUnderWay(), ignore)
  await loadCache()
    .then(({ forgetUser }) => forgetUser(uid))
    .catch(ignore)
  deviceStore.set('clearing', null)
  // The tab in which the user signed out deletes this note last: other tabs tell by it how the session ended.
  if (reason === 'signOut' || reason === 'cutOff' || reason === 'profileMissing')
    deviceStore.set('leaving', null)
}

/** If it fails, the next start does it. */
const ifPushed = async (work: (device: Awaited<ReturnType<typeof loadPush>>) => Promise<void>) => {
  if (deviceStore.get('push')) await loadPush().then(work).catch(ignore)
}

async function noteOpenPayment({ uid, reason }: Ending) {
  const open = await loadUnderWay()
    .then(({ findUnderWay }) => findUnderWay(uid))
    .catch(() => null)
  const payment = !open ? 'none' : open.isUnpaid ? 'unpaid' : 'maybePaid'
  // A user who has signed out in another tab expects the end of the session, but not that a card was charged.
  if (reason === 'elsewhere' && payment !== 'maybePaid') return
  // Another tab may have had a payment.
  if (!open && deviceStore.get('ended')?.uid === uid) return
  deviceStore.set('ended', { uid, payment, attemptId: open?.attemptId ?? null })
}

async function admit({ uid, reason }: Ending) {
  welcomeUser(uid)
  if (isVerifiedLink()) leaveLink()
  const ended = deviceStore.get('ended')
  if (!ended && reason !== 'expired') return
  const isBack = await loadUnderWay()
    .then(({ putBackUnderWay }) => putBackUnderWay(uid))
    .catch(() => false)
  // The home screen asks the server about a payment that this page does not know any more.
  if (isBack || ended?.uid !== uid || ended.attemptId === null) deviceStore.set('ended', null)
}

function watchAccount(sendBack: (event: SessionEvent) => void) {
  let isStopped = false
  let stopWatching = () => {}
  const isStored = hasStoredAccount()
  const stored = storedAccount()
  const leaving = deviceStore.get('leaving') ?? (isStored ? null : deviceStore.get('clearing'))
  const account = knowAccount(stored)
  // An account that can't be read says only that some user has signed in here.
  if (stored || !isStored) sendBack({ type: 'device.read', account, leaving })
  if (!isStored && !leaving) ifPushed(({ dropPush }) => dropPush())

  const begin = async () => {
    try {
      const { watchAccount, reloadAccount } = await loadAuth()
      if (isStopped) return
      // The link of the verification mail comes back here. Specification, section 2. A link that changed the address ends this
      // session, and the call fails: the sign-in card still has to read `emailVerified` in the address bar.
      if (isVerifiedLink()) reloadAccount().then(({ emailVerified }) => emailVerified && leaveLink(), ignore)
      stopWatching = watchAccount((account) =>
        sendBack({
          type: 'account.changed',
          account: knowAccount(account),
          leaving: deviceStore.get('leaving'),
        }),
      )
    } catch {
      if (isStopped) return
      if (hasStoredAccount()) sendBack({ type: 'account.unreachable' })
      else stopWatching = onceUsed(begin)
    }
  }
  const isOpen = account && stored?.uid !== leaving && (account.remembered || isUnproven(account))
  // The window that comes back from Google signs in without another tap.
  if (!isStored && !hasGoogleAnswer()) stopWatching = onceUsed(begin)
  else if (!isStored || isOpen) whenIdle(begin)
  else begin()

  return () => {
    isStopped = true
    stopWatching()
  }
}

const knowAccount = (account: Account | null): KnownAccount | null =>
  account && { ...account, remembered: rememberedProfile(account.uid) }

const isVerifiedLink = () => new URLSearchParams(location.search).has('emailVerified')

const leaveLink = () => history.replaceState(history.state, '', '/')

/** Does the work when the browser is idle, so that the first screen is drawn before. After two seconds it no longer waits. */
const whenIdle = (work: () => void) =>
  'requestIdleCallback' in globalThis ? requestIdleCallback(work, { timeout: 2000 }) : setTimeout(work, 200)

/** Calls back when the page is used, or a user signs in in another tab. Until then the sign-in SDK has nothing to do. */
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
  // Its profile can't be read, and would not open the app.
  if (isUnproven(account)) return 'unverified'
  const { uid } = account
  const isLate = () => signal.aborted || hasLeft(uid)
  try {
    const { fetchProfile, saveProfile } = await loadProfiles()
    const stored = await fetchProfile(uid)
    if (!stored) return (await isEnding(uid)) ? 'unreachable' : 'missing'
    if (isLate()) return 'unreachable'
    if (account.email && account.email !== stored.verifiedAddress) {
      const { confirmAddress } = await loadConfirmation()
      const held = await confirmAddress({ ...stored, ...account })
      if (held) return held
      if (isLate()) return 'unreachable'
    }
    // The profile takes over the address and the number that the user signs in with. They may have changed since the profile was
    // requested, and before the sign-in SDK says so.
    const kept = storedAccount()
    const { email, phone } = kept?.uid === uid ? kept : account
    const proven = { email: email ?? stored.email, phone: phone ?? stored.phone }
    const profile = { ...stored, ...proven }
    if (proven.email !== stored.email || proven.phone !== stored.phone) saveProfile(uid, proven).catch(ignore)
    rememberProfile(uid, profile)
    // The screens read the plan from this row. The app opens without waiting for it.
    loadCache()
      .then(({ withRows }) => withRows(uid, ({ profiles }) => profiles.put(profile)))
      .catch(ignore)
    return profile
  } catch {
    return 'unreachable'
  }
}

function ignore() {}
