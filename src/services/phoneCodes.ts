import {
  PhoneAuthProvider,
  RecaptchaVerifier,
  reauthenticateWithCredential,
  signInWithCredential,
  updatePhoneNumber,
} from 'firebase/auth'
import { ServiceError, toFailure } from '../browser/failure.ts'
import { loadScript } from '../browser/loadScript.ts'
import { auth, getCurrentUser, getLocalizedAuth, withAuthErrors } from './authClient.ts'
import { saveProfile } from './profiles.ts'
import { settings } from './settings.ts'
import { signUpWithCredential } from './signUp.ts'
import { toSmsFailure } from './smsFailure.ts'

export type CodePurpose = 'signIn' | 'signUp' | 'changeNumber' | 'reauthenticate'

/**
 * Returns the ID that redeems the code. Specification, sections 4 and 8. @throws `captcha-init-failed`,
 * `captcha-expired`, the codes of the service, and `noMessages` if it refuses the project.
 */
export async function sendCode(phone: string): Promise<{ verificationId: string }> {
  const place = document.body.appendChild(document.createElement('div'))
  const captcha = await openCaptcha(place)
  try {
    const sent = new PhoneAuthProvider(getLocalizedAuth()).verifyPhoneNumber(phone, captcha.verifier)
    return {
      verificationId: await withAuthErrors(Promise.race([sent, captcha.failure]), toSmsFailure),
    }
  } finally {
    captcha.verifier.clear()
    place.remove()
  }
}

/** Specification, section 4. */
export async function confirmCode({
  purpose,
  verificationId,
  code,
  name,
}: {
  purpose: CodePurpose
  verificationId: string
  code: string
  name: string
}): Promise<void> {
  const credential = PhoneAuthProvider.credential(verificationId, code)
  switch (purpose) {
    case 'signIn':
      await withAuthErrors(signInWithCredential(auth, credential))
      return
    case 'signUp':
      await signUpWithCredential(credential, name)
      return
    case 'reauthenticate':
      await withAuthErrors(reauthenticateWithCredential(await getCurrentUser(), credential))
      return
    case 'changeNumber': {
      const user = await getCurrentUser()
      await withAuthErrors(updatePhoneNumber(user, credential)).catch(rethrowAsNumberTaken)
      await saveProfile(user.uid, { phone: user.phoneNumber })
    }
  }
}

/** The SDK's own code for a number of another account is about an email address. */
function rethrowAsNumberTaken(error: unknown): never {
  const failure = toFailure(error)
  if (failure.kind === 'auth' && failure.code === 'account-exists-with-different-credential')
    throw new ServiceError({ kind: 'auth', code: 'credential-already-in-use' }, { cause: error })
  throw error
}

async function openCaptcha(place: HTMLElement) {
  let fail = (_: ServiceError) => {}
  const failure = new Promise<never>((_, reject) => {
    fail = reject
  })
  // After the code is sent, no caller awaits this promise.
  failure.catch(() => undefined)
  // The SDK looks for the script only when the verifier is created, and uses one that is already present.
  try {
    if (import.meta.env.VITE_RECAPTCHA_SCRIPT && settings.recaptchaScript && !('grecaptcha' in window))
      await loadScript(settings.recaptchaScript)
  } catch (error) {
    throw new ServiceError({ kind: 'auth', code: 'captcha-init-failed' }, { cause: error })
  }
  // Without these callbacks, the SDK's promise would never settle.
  const verifier = new RecaptchaVerifier(auth, place, {
    size: 'invisible',
    'expired-callback': () => fail(new ServiceError({ kind: 'auth', code: 'captcha-expired' })),
    'error-callback': () => fail(new ServiceError({ kind: 'auth', code: 'captcha-init-failed' })),
  })
  try {
    await verifier.render()
  } catch (error) {
    throw new ServiceError({ kind: 'auth', code: 'captcha-init-failed' }, { cause: error })
  }
  return { verifier, failure }
}
