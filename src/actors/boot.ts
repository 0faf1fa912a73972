import { type AnyEventObject, fromCallback, fromPromise } from 'xstate'
import type { Account } from '../../domain/account.ts'
import { bootMachine } from '../../machines/boot.ts'
import { isUnproven, type Session, type SessionFacts, sessionOf } from '../../machines/session.ts'
import { forgetPerson, isEnding, rememberedProfile, rememberProfile } from '../browser/deviceSession.ts'
import { leadToSignUp } from '../browser/signUpAddress.ts'
import { deviceStore, type EndedSession } from '../browser/storage.ts'
import { hasStoredAccount, isAccountKey, storedAccount } from '../browser/storedAccount.ts'
import { hasLeft, noteLeft, welcomeUser } from '../cache/signedOutUsers.ts'
import { hasGoogleAnswer } from '../services/googleReturn.ts'

// The SDKs are large: each is fetched when there is something for it to do.
const loadAuth = () => import('../services/auth.ts')
const loadProfiles = () => import('../services/profiles.ts')
const loadConfirmation = () => import('../services/addressConfirmation.ts')
const loadCache = () => import('../cache/database.ts')
const loadPush = () => import('../pwa/pushDevice.ts')
const loadUnderWay = () => import('../cache/leftUnderWay.ts')

/** The boot machine with everything it needs in a browser. */
export const boot = bootMachine.provide({
  actors: {
    watchSession: fromCallback<AnyEventObject>(({ sendBack }) => {
      const watch = watchSession(sendBack)
      return watch.stop
    }),
    signOut: fromPromise(async ({ input: { uid } }) => {
      await signOutAndForget(uid)
    }),
    leaveMissingProfile: fromPromise(async ({ input: { uid, phone } }) => {
      deviceStore.set('forceSignUp', phone ? 'number' : 'account')
      const email = phone ? null : storedAccount()?.email
      if (email) leadToSignUp(email)
      // What led to the sign-in before may name another way.
      else leaveLink()
      await signOutAndForget(uid)
    }),
    reloadAccount: fromPromise(async () => (await loadAuth()).reloadAccount()),
  },
  actions: { reloadApp: () => location.reload() },
})

/**
 * A sign-out that fails leaves everything as it was. When the page is closed in the middle, the next start does the
 * rest, because the device may be somebody else's.
 */
async function signOutAndForget(uid: string) {
  deviceStore.set('leaving', uid)
  isLeavingHere = true
  try {
    // The server takes it from who is signed in.
    await ifPushed(({ unsubscribeDevice }) => unsubscribeDevice())
    await (await loadAuth()).signOut()
    // Another tab may note from here on what this leaves behind there, and that stays.
    deviceStore.set('ended', null)
    await forget(uid)
    deviceStore.set('unconfirmed', null)
  } finally {
    isLeavingHere = false
    deviceStore.set('leaving', null)
  }
}

/** Whether this page is what signs out. Other tabs see the same note of it. */
let isLeavingHere = false

/** Does this where the device is told with the app closed. What fails is done by the next start. */
async function ifPushed(work: (device: Awaited<ReturnType<typeof loadPush>>) => Promise<void>) {
  if (deviceStore.get('push'))
    await loadPush()
      .then(work)
      .catch(() => undefined)
}

/** Nobody is told any more here. */
const endPush = () => ifPushed(({ dropPush }) => dropPush())

/** Deletes the person's data from the device. A device whose storage is broken has none, and does not stop the sign-out. */
async function forget(uid: string) {
  noteLeft(uid)
  forgetPerson()
  await endPush()
  if (ended?.uid !== uid)
    await import('../cache/underWay.ts').then(
      ({ forgetUnderWay }) => forgetUnderWay(),
      () => undefined,
    )
  await loadCache()
    .then(({ forgetUser }) => forgetUser(uid))
    .catch(() => undefined)
}

/** How the session of this page was ended elsewhere: somebody may have signed in in another tab meanwhile. */
let ended: EndedSession | null = null

/** Notes that the session was ended elsewhere, and what was being paid. The sign-in screen tells the person both. */
async function noteEnd(uid: string) {
  const payment = await loadUnderWay()
    .then(({ leftUnderWay }) => leftUnderWay(uid))
    .catch(() => null)
  ended = {
    uid,
    payment: !payment ? 'none' : payment.isUnpaid ? 'unpaid' : 'maybePaid',
    attemptId: payment?.attemptId ?? null,
  }
  // Another tab may know more.
  if (payment || deviceStore.get('ended')?.uid !== uid) deviceStore.set('ended', ended)
}

/**
 * A sign-out in another tab is the person's own, and all that was under way in this one is gone by it. A payment of this one may have gone
 * through all the same: this is told, and the server asked about it once the person is in again.
 */
async function notePayment(uid: string) {
  const attemptId = await import('../cache/underWay.ts').then(
    ({ attemptUnderWay }) => attemptUnderWay(uid),
    () => null,
  )
  if (attemptId !== null && deviceStore.get('unconfirmed') !== attemptId)
    deviceStore.set('ended', { uid, payment: 'maybePaid', attemptId })
}

/** After a session that was ended elsewhere, the same person goes on with what was under way. Nobody else does. */
async function goOn(uid: string) {
  const last = deviceStore.get('ended') ?? ended
  ended = null
  if (!last) return
  const isBack = await loadUnderWay()
    .then(({ putBackUnderWay }) => putBackUnderWay(uid))
    .catch(() => false)
  // A payment that this page does not know any more is asked about once the app is open.
  if (isBack || last.uid !== uid || last.attemptId === null) deviceStore.set('ended', null)
}

function watchSession(sendBack: (event: AnyEventObject) => void) {
  let isStopped = false
  let stopWatching = () => {}
  let turn = 0
  const tell = (session: Session) => sendBack({ type: 'session.changed', session })

  // What the device remembers opens the app at once. The SDK says later whether the person is still signed in.
  const stored = storedAccount()
  const leaving = deviceStore.get('leaving')
  const isCutOff = stored !== null && stored.uid === leaving
  const cachedProfile = stored && rememberedProfile(stored.uid)
  const remembered = sessionOf({ account: stored, profile: 'unreachable', cachedProfile })
  const isSure = !hasStoredAccount() || (stored !== null && !isCutOff && remembered.kind !== 'failed')
  // The session had ended, but the page was closed before the person's data were deleted. They are deleted now, while the
  // next person signs in.
  if (leaving && !hasStoredAccount()) forget(leaving).finally(() => deviceStore.set('leaving', null))
  else if (!hasStoredAccount()) endPush()
  if (isSure) tell(remembered)
  let present = isSure ? (stored?.uid ?? null) : null

  // To forget somebody takes a while, and another tab goes on meanwhile: one is forgotten before the next is let in.
  let changing = Promise.resolve()
  const change = async (account: Account | null) => {
    // Another tab has signed out or signed somebody else in, or the service has ended the session.
    if (present !== null && present !== account?.uid) {
      if (!account && deviceStore.get('leaving') !== present) await noteEnd(present)
      else if (!account && !isLeavingHere) await notePayment(present)
      await forget(present)
    }
    if (account && present !== account.uid) {
      welcomeUser(account.uid)
      await goOn(account.uid)
      // The sign-in card has told the person that the address is verified. The address bar need not say it any more.
      if (present === null && isVerifiedLink()) leaveLink()
    }
    present = account?.uid ?? null
  }

  const begin = async () => {
    try {
      if (isCutOff) await signOutAndForget(stored.uid)
      const { watchAccount, reloadAccount } = await loadAuth()
      if (isStopped) return
      // The link of the verification mail comes back here. Specification, section 2.
      if (isVerifiedLink()) {
        // A link that changed the address ends this session, and this call fails then. The sign-in card still has to read
        // `emailVerified` in the address bar, so it is taken away after a good answer only.
        reloadAccount().then(
          ({ emailVerified }) => emailVerified && leaveLink(),
          () => undefined,
        )
      }
      stopWatching = watchAccount(async (account) => {
        turn += 1
        const current = turn
        const isLate = () => isStopped || current !== turn
        const changed = () => change(account)
        changing = changing.then(changed, changed)
        await changing
        // The screen of who was forgotten goes, whoever comes after them.
        if (!account) return tell({ kind: 'none' })
        if (isLate()) return
        if (isUnproven(account))
          return tell(sessionOf({ account, profile: 'unreachable', cachedProfile: null }))
        const cachedProfile = rememberedProfile(account.uid)
        // What this device knows opens the app at once; the server's answer follows.
        if (cachedProfile) tell(sessionOf({ account, profile: 'unreachable', cachedProfile }))
        else sendBack({ type: 'account.found' })
        const profile = await readProfile(account, isLate)
        if (!isLate()) tell(sessionOf({ account, profile, cachedProfile }))
      })
    } catch {
      if (isStopped) return
      if (hasStoredAccount()) sendBack({ type: 'session.changed', session: { kind: 'failed', uid: null } })
      else stopWatching = onceUsed(begin)
    }
  }
  // The window that comes back from Google signs somebody in without another tap.
  if (!hasStoredAccount() && !hasGoogleAnswer()) stopWatching = onceUsed(begin)
  else if (isSure) whenIdle(begin)
  else begin()

  return {
    stop() {
      isStopped = true
      stopWatching()
    },
  }
}

const isVerifiedLink = () => new URLSearchParams(location.search).has('emailVerified')

const leaveLink = () => history.replaceState(history.state, '', '/')

/** Does the work when the browser is idle, so that the first screen is drawn before. After two seconds it no longer waits. */
const whenIdle = (work: () => void) =>
  'requestIdleCallback' in globalThis ? requestIdleCallback(work, { timeout: 2000 }) : setTimeout(work, 200)

/** Calls back when somebody uses the page, or signs in in another tab. Until then the sign-in SDK has nothing to do. */
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

async function readProfile(account: Account, isLate: () => boolean): Promise<SessionFacts['profile']> {
  const { uid } = account
  try {
    const { fetchProfile, saveProfile } = await loadProfiles()
    const stored = await fetchProfile(uid)
    if (!stored) return (await isEnding(uid)) ? 'unreachable' : 'missing'
    if (hasLeft(uid) || isLate()) return 'unreachable'
    if (account.email && account.email !== stored.verifiedAddress) {
      const { confirmAddress } = await loadConfirmation()
      const held = await confirmAddress({ ...stored, ...account })
      if (held) return held
      if (hasLeft(uid) || isLate()) return 'unreachable'
    }
    // The account has the address and the number that the person signs in with. The profile takes them over. They may have been changed
    // since the profile was asked for, and before the sign-in SDK says so.
    const kept = storedAccount()
    const { email, phone } = kept?.uid === uid ? kept : account
    const proven = { email: email ?? stored.email, phone: phone ?? stored.phone }
    const profile = { ...stored, ...proven }
    if (proven.email !== stored.email || proven.phone !== stored.phone)
      saveProfile(uid, proven).catch(() => undefined)
    rememberProfile(uid, profile)
    // The screens read the plan from this row. The app opens without waiting for it.
    loadCache()
      .then(({ withRows }) => withRows(uid, ({ profiles }) => profiles.put(profile)))
      .catch(() => undefined)
    return profile
  } catch {
    return 'unreachable'
  }
}
