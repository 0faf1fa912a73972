import {
  PhoneAuthProvider,
  RecaptchaVerifier,
  reauthenticateWithCredential,
  signInWithCredential,
  updatePhoneNumber,
} from 'firebase/auth'
import { ServiceError } from '../browser/failure.ts'
import { asking, auth, authInLanguage, currentUser } from './authClient.ts'
import { messageFailure } from './messageRefusal.ts'
import { saveProfile } from './profiles.ts'
import { settings } from './settings.ts'
import { signUpWith } from './signUp.ts'

export type CodePurpose = 'signIn' | 'signUp' | 'changeNumber' | 'reauthenticate'

/**
 * Has a code sent by text message once the invisible captcha is solved; answers what the code is redeemed with. Fails
 * with `captcha-init-failed` and `captcha-expired` beside the codes of the service, and with `noMessages` when it refuses the project. Specification, sections 4 and 8.
 */
export async function sendCode(phone: string): Promise<{ verificationId: string }> {
  const place = document.body.appendChild(document.createElement('div'))
  const captcha = await openCaptcha(place)
  try {
    const sent = new PhoneAuthProvider(authInLanguage()).verifyPhoneNumber(phone, captcha.verifier)
    return { verificationId: await asking(Promise.race([sent, captcha.failure]), messageFailure) }
  } finally {
    captcha.verifier.clear()
    place.remove()
  }
}

/** Uses the code for what it was asked for: a sign-in, a sign-up or a new number. `name` is that of a new person. Specification, section 4. */
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
      await asking(signInWithCredential(auth, credential))
      return
    case 'signUp':
      await signUpWith(credential, name)
      return
    case 'reauthenticate':
      await asking(reauthenticateWithCredential(await currentUser(), credential))
      return
    case 'changeNumber': {
      const user = await currentUser()
      await asking(updatePhoneNumber(user, credential)).catch(tellNumberTaken)
      await saveProfile(user.uid, { phone: user.phoneNumber })
    }
  }
}

/** When the number belongs to another account, the SDK gives a code that speaks of an address. */
function tellNumberTaken(error: unknown): never {
  const { failure } = error as ServiceError
  if (failure.kind === 'auth' && failure.code === 'account-exists-with-different-credential')
    throw new ServiceError({ kind: 'auth', code: 'credential-already-in-use' }, { cause: error })
  throw error
}

async function openCaptcha(place: HTMLElement) {
  const { promise: failure, reject } = Promise.withResolvers<never>()
  // Once a code was sent, nothing waits for this promise any more.
  failure.catch(() => undefined)
  // The script has to be there before the verifier is made, because the SDK looks for it only then.
  try {
    if (import.meta.env.VITE_RECAPTCHA_SCRIPT && settings.recaptchaScript)
      await loadScript(settings.recaptchaScript)
  } catch (error) {
    throw new ServiceError({ kind: 'auth', code: 'captcha-init-failed' }, { cause: error })
  }
  // The SDK tells of neither by itself, and its promise would wait for ever.
  const verifier = new RecaptchaVerifier(auth, place, {
    size: 'invisible',
    'expired-callback': () => reject(new ServiceError({ kind: 'auth', code: 'captcha-expired' })),
    'error-callback': () => reject(new ServiceError({ kind: 'auth', code: 'captcha-init-failed' })),
  })
  try {
    await verifier.render()
  } catch (error) {
    throw new ServiceError({ kind: 'auth', code: 'captcha-init-failed' }, { cause: error })
  }
  return { verifier, failure }
}

/** The captcha of another server than Google's, where the settings name one; the SDK takes the one that is there. */
function loadScript(address: string): Promise<void> {
  if ('grecaptcha' in window) return Promise.resolve()
  return new Promise((resolve, reject) => {
    const script = document.createElement('script')
    script.src = address
    script.onload = () => resolve()
    script.onerror = () => {
      script.remove()
      reject(new Error(`No script came from ${address}`))
    }
    document.head.append(script)
  })
}
