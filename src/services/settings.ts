export interface Settings {
  readonly projectId: string
  readonly apiKey: string
  readonly authDomain: string
  readonly stripePublishableKey: string
  /** Addresses of other servers than the hosted ones, such as the official emulators; none in production. */
  readonly authHost: string | null
  readonly firestoreHost: string | null
  readonly stripeBase: string | null
}

const { env } = import.meta
// Each one is read by its whole name: in a production build an absent one becomes `undefined` and its branch goes.
const self = (host: string | undefined) => (host === 'self' ? location.host : (host ?? null))

export const settings: Settings = {
  projectId: env.VITE_FIREBASE_PROJECT_ID,
  apiKey: env.VITE_FIREBASE_API_KEY,
  authDomain: env.VITE_FIREBASE_AUTH_DOMAIN,
  stripePublishableKey: env.VITE_STRIPE_PUBLISHABLE_KEY,
  authHost: self(env.VITE_FIREBASE_AUTH_EMULATOR_HOST),
  firestoreHost: self(env.VITE_FIRESTORE_EMULATOR_HOST),
  stripeBase: env.VITE_STRIPE_API_BASE === 'self' ? location.origin : (env.VITE_STRIPE_API_BASE ?? null),
}
