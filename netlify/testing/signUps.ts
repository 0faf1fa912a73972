import { deleteApp, initializeApp } from 'firebase/app'
import {
  connectAuthEmulator,
  createUserWithEmailAndPassword,
  getAuth,
  sendEmailVerification,
} from 'firebase/auth'
import { createWorld } from './world.ts'

export const PASSWORD = 'correct horse'

/** A world over connections, in which the app's sign-in SDK makes accounts. */
export async function createWorldWithSignUps() {
  const world = await createWorld({ sockets: true })
  const auth = getAuth(initializeApp({ projectId: 'demo-passerelle', apiKey: 'sandbox' }))
  connectAuthEmulator(auth, world.origin, { disableWarnings: true })

  async function signUp(email: string) {
    const { user } = await createUserWithEmailAndPassword(auth, email, PASSWORD)
    await sendEmailVerification(user)
    await fetch(world.sandbox.auth.mails()[0]?.link ?? '', { method: 'POST' })
    await world.context.db.doc(`users/${user.uid}`).set({
      email,
      name: 'Ada Lovelace',
      phone: null,
      createdAt: new Date(world.now()),
      subscription: {},
      madeWith: 'address',
      verifiedAddress: email,
    })
    return { uid: user.uid, token: await user.getIdToken(true) }
  }

  async function close() {
    await deleteApp(auth.app)
    await world.close()
  }
  return { world, auth, signUp, close }
}
