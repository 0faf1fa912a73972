import type { EndedSession } from '../src/browser/storage.ts'
import { AWA } from './fixtures.ts'
import { type Scene, SIGNED_OUT_STATES } from './scene.ts'

/** Returns the sign-in screen after a session that ended on another device or in another tab. */
const afterSession = (payment: EndedSession['payment']) => ({
  at: SIGNED_OUT_STATES,
  account: null,
  device: { ended: { uid: AWA.uid, payment, attemptId: payment === 'none' ? null : 'attempt' } },
})

export const SESSIONS_SCENES: readonly Scene[] = [
  { name: 'sign-in-session-ended', ...afterSession('none') },
  { name: 'sign-in-session-ended-unpaid', ...afterSession('unpaid') },
  { name: 'sign-in-session-ended-maybe-paid', ...afterSession('maybePaid') },
]
