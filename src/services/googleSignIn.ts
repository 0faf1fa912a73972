import { OAuthProvider, reauthenticateWithCredential, signInWithCredential } from 'firebase/auth'
import { decodeJwt } from 'jose'
import { ServiceError } from '../browser/failure.ts'
import { auth, getCurrentUser, withAuthErrors } from './authClient.ts'
import { signUpWithCredential } from './signUp.ts'

/**
 * A sign-up also creates the profile of a new user; a sign-in doesn't, and the code that watches the account
 * then finds the profile missing. `rawNonce`: the token's nonce is its SHA-256. Specification, section 4.
 */
export async function finishGoogleSignIn(
  purpose: 'signIn' | 'signUp' | 'reauthenticate',
  token: { idToken: string; rawNonce: string },
): Promise<{ isNew: boolean }> {
  const credential = new OAuthProvider('google.com').credential(token)
  switch (purpose) {
    case 'signUp':
      return signUpWithCredential(credential, '')
    case 'reauthenticate': {
      const user = await getCurrentUser()
      // The SDK would sign in another account instead of refusing it.
      const isOwn = user.providerData.some(
        ({ providerId, uid }) => providerId === 'google.com' && uid === decodeJwt(token.idToken).sub,
      )
      if (!isOwn) throw new ServiceError({ kind: 'auth', code: 'user-mismatch' })
      await withAuthErrors(reauthenticateWithCredential(user, credential))
      return { isNew: false }
    }
    case 'signIn':
      await withAuthErrors(signInWithCredential(auth, credential))
      return { isNew: false }
  }
}
