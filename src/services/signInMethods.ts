import { fetchSignInMethodsForEmail } from 'firebase/auth'
import { ServiceError, toFailure } from '../browser/failure.ts'
import { auth } from './authClient.ts'

/** A refused password's failure says if the address signs in with Google. Email enumeration protection hides that. */
export async function withSignInMethods<T>(work: Promise<T>, email: string): Promise<T> {
  try {
    return await work
  } catch (error) {
    const failure = toFailure(error)
    if (failure.kind !== 'auth' || failure.code !== 'wrong-password') throw error
    const methods = await fetchSignInMethodsForEmail(auth, email).catch((): string[] => [])
    if (!methods.includes('google.com')) throw error
    throw new ServiceError(
      { kind: 'googleAccount', hasPassword: methods.includes('password') },
      { cause: error },
    )
  }
}
