import { type AnyEventObject, fromCallback, fromPromise } from 'xstate'
import { bootMachine } from '../../machines/boot.ts'
import { type ProfileSummary, sessionOf } from '../../machines/session.ts'
import { FORCE_SIGN_UP, hasStoredAccount } from '../services/deviceSession.ts'

// The SDKs are large: they are fetched once the first screen is painted.
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
    leaveMissingProfile: fromPromise(async ({ input: { uid } }) => {
      localStorage.setItem(FORCE_SIGN_UP, '1')
      await forgetAndSignOut(uid)
    }),
    reloadAccount: fromPromise(async () => (await loadAuth()).reloadAccount()),
  },
  actions: { reloadApp: () => location.reload() },
})

async function forgetAndSignOut(uid: string) {
  await (await loadCache()).forgetUser(uid)
  await (await loadAuth()).signOut()
}

function watchSession(sendBack: (event: AnyEventObject) => void) {
  let isStopped = false
  let stopWatching = () => {}
  let turn = 0
  const tell = (facts: Parameters<typeof sessionOf>[0]) =>
    sendBack({ type: 'session.changed', session: sessionOf(facts) })

  // With nothing stored nobody is signed in, and the first screen need not wait for the SDK to say so.
  if (!hasStoredAccount()) tell({ account: null, profile: 'missing', cachedProfile: null })

  loadAuth()
    .then(({ watchAccount, reloadAccount }) => {
      if (isStopped) return
      // The link of the verification mail comes back here. Specification, section 2.
      if (new URLSearchParams(location.search).has('emailVerified')) {
        history.replaceState(null, '', '/')
        reloadAccount().catch(() => undefined)
      }
      stopWatching = watchAccount(async (account) => {
        turn += 1
        const current = turn
        const isLate = () => isStopped || current !== turn
        if (!account || (account.usesPassword && !account.emailVerified))
          return tell({ account, profile: 'unreachable', cachedProfile: null })
        const cachedProfile = await readCachedProfile(account.uid)
        if (isLate()) return
        // What this device knows opens the app at once; the server's answer follows.
        if (cachedProfile) tell({ account, profile: 'unreachable', cachedProfile })
        const profile = await readProfile(account.uid)
        if (!isLate()) tell({ account, profile, cachedProfile })
      })
    })
    .catch(() => {
      if (!isStopped && hasStoredAccount())
        sendBack({ type: 'session.changed', session: { kind: 'failed', uid: null } })
    })

  return {
    stop() {
      isStopped = true
      stopWatching()
    },
  }
}

async function readCachedProfile(uid: string): Promise<ProfileSummary | null> {
  const { databaseOf } = await loadCache()
  // The cache is a help, not a need: without it the server is asked.
  const profile = await databaseOf(uid)
    .profiles.get(uid)
    .catch(() => null)
  return profile ?? null
}

async function readProfile(uid: string): Promise<ProfileSummary | 'missing' | 'unreachable'> {
  try {
    const profile = await (await loadProfiles()).fetchProfile(uid)
    if (!profile) return 'missing'
    const { databaseOf } = await loadCache()
    await databaseOf(uid).profiles.put(profile)
    return profile
  } catch {
    return 'unreachable'
  }
}
