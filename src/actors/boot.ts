import { type AnyEventObject, fromCallback, fromPromise } from 'xstate'
import { bootMachine } from '../../machines/boot.ts'
import { type Account, type ProfileSummary, sessionOf } from '../../machines/session.ts'
import { hasLeft, noteLeft, welcomeUser } from '../cache/presence.ts'
import {
  forceSignUp,
  forgetProfile,
  hasStoredAccount,
  isAccountKey,
  rememberedProfile,
  rememberProfile,
} from '../services/deviceSession.ts'

// The SDKs are large: each is fetched when there is something for it to do.
const loadAuth = () => import('../services/auth.ts')
const loadProfiles = () => import('../services/profiles.ts')
const loadCache = () => import('../cache/database.ts')

/** The boot machine with everything it needs in a browser. */
export const boot = bootMachine.provide({
  actors: {
    watchSession: fromCallback<AnyEventObject>(({ sendBack }) => {
      const watch = watchSession(sendBack)
      return watch.stop
    }),
    signOut: fromPromise(async ({ input: { uid } }) => {
      await forgetAndSignOut(uid)
    }),
    leaveMissingProfile: fromPromise(async ({ input: { uid, phone } }) => {
      forceSignUp(phone ? 'number' : 'account')
      await forgetAndSignOut(uid)
    }),
    reloadAccount: fromPromise(async () => (await loadAuth()).reloadAccount()),
  },
  actions: { reloadApp: () => location.reload() },
})

async function forgetAndSignOut(uid: string) {
  await forget(uid)
  await (await loadAuth()).signOut()
}

/** Takes the person's data from the device. A device whose storage is broken keeps none, and keeps nobody in. */
async function forget(uid: string) {
  noteLeft(uid)
  forgetProfile()
  await loadCache()
    .then(({ forgetUser }) => forgetUser(uid))
    .catch(() => undefined)
}

function watchSession(sendBack: (event: AnyEventObject) => void) {
  let isStopped = false
  let stopWatching = () => {}
  let turn = 0
  let present: string | null = null
  const tell = (facts: Parameters<typeof sessionOf>[0]) =>
    sendBack({ type: 'session.changed', session: sessionOf(facts) })

  // With nothing stored nobody is signed in, and the first screen need not wait for the SDK to say so.
  if (!hasStoredAccount()) tell({ account: null, profile: 'missing', cachedProfile: null })

  const begin = async () => {
    try {
      const { watchAccount, reloadAccount } = await loadAuth()
      if (isStopped) return
      // The link of the verification mail comes back here. Specification, section 2.
      if (new URLSearchParams(location.search).has('emailVerified')) {
        // Who is signed out by it, as by a new address, needs to read the address bar on the way in.
        reloadAccount().then(
          ({ emailVerified }) => emailVerified && history.replaceState(null, '', '/'),
          () => undefined,
        )
      }
      stopWatching = watchAccount(async (account) => {
        turn += 1
        const current = turn
        const isLate = () => isStopped || current !== turn
        // Signed out, or replaced, from another tab.
        if (present !== null && present !== account?.uid) await forget(present)
        if (account && present !== account.uid) welcomeUser(account.uid)
        present = account?.uid ?? null
        if (!account || (account.usesPassword && !account.emailVerified))
          return tell({ account, profile: 'unreachable', cachedProfile: null })
        const cachedProfile = rememberedProfile(account.uid)
        // What this device knows opens the app at once; the server's answer follows.
        if (cachedProfile) tell({ account, profile: 'unreachable', cachedProfile })
        const profile = await readProfile(account, isLate)
        if (!isLate()) tell({ account, profile, cachedProfile })
      })
    } catch {
      if (isStopped) return
      if (hasStoredAccount()) sendBack({ type: 'session.changed', session: { kind: 'failed', uid: null } })
      else stopWatching = onceUsed(begin)
    }
  }
  if (hasStoredAccount()) begin()
  else stopWatching = onceUsed(begin)

  return {
    stop() {
      isStopped = true
      stopWatching()
    },
  }
}

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

async function readProfile(
  account: Account,
  isLate: () => boolean,
): Promise<ProfileSummary | 'missing' | 'unreachable'> {
  const { uid } = account
  try {
    const { fetchProfile, saveProfile } = await loadProfiles()
    const stored = await fetchProfile(uid)
    if (!stored) return 'missing'
    if (hasLeft(uid) || isLate()) return 'unreachable'
    // An address or a number that was changed where the person signs in: the profile follows.
    const proven = { email: account.email ?? stored.email, phone: account.phone ?? stored.phone }
    const profile = { ...stored, ...proven }
    if (proven.email !== stored.email || proven.phone !== stored.phone)
      saveProfile(uid, proven).catch(() => undefined)
    rememberProfile(uid, profile)
    // The plan is read from there. The app opens without waiting for it.
    loadCache()
      .then(({ withRows }) => withRows(uid, ({ profiles }) => profiles.put(profile)))
      .catch(() => undefined)
    return profile
  } catch {
    return 'unreachable'
  }
}
