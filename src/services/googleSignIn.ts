import { OAuthProvider, reauthenticateWithCredential, signInWithCredential } from 'firebase/auth'
import { decodeJwt } from 'jose'
import { ServiceError } from '../browser/failure.ts'
import { asking, auth, currentUser } from './authClient.ts'
import { signUpWith } from './signUp.ts'

/**
 * Signs in with an ID token of Google's. From the sign-up it also makes the profile of a new person. From the sign-in it
 * makes none: whoever watches the account then finds that the profile is missing. `rawNonce`: the nonce of the token is its SHA-256.
 * Specification, section 4.
 */
export async function finishGoogleSignIn(
  purpose: 'signIn' | 'signUp' | 'reauthenticate',
  token: { idToken: string; rawNonce: string },
): Promise<{ isNew: boolean }> {
  const credential = new OAuthProvider('google.com').credential(token)
  switch (purpose) {
    case 'signUp':
      return signUpWith(credential, '')
    case 'reauthenticate': {
      const user = await currentUser()
      // The SDK would sign another account in, and so end the session, instead of refusing it.
      const isOwn = user.providerData.some(
        ({ providerId, uid }) => providerId === 'google.com' && uid === decodeJwt(token.idToken).sub,
      )
      if (!isOwn) throw new ServiceError({ kind: 'auth', code: 'user-mismatch' })
      await asking(reauthenticateWithCredential(user, credential))
      return { isNew: false }
    }
    case 'signIn':
      await asking(signInWithCredential(auth, credential))
      return { isNew: false }
  }
}
