interface Settings {
  readonly projectId: string
  readonly apiKey: string
  readonly authDomain: string
  readonly storageBucket: string
  readonly stripePublishableKey: string
  /** Null in production. */
  readonly authHost: string | null
  readonly firestoreHost: string | null
  readonly storageHost: string | null
  readonly stripeBase: string | null
  /** Null for Google's own captcha. */
  readonly recaptchaScript: string | null
  readonly googleAuthUrl: string
  /** Null without sign-in with Google. */
  readonly googleClientId: string | null
}

// A production build replaces an absent setting by `undefined`, and leaves out its branch.
const self = (host: string | undefined) => (host === 'self' ? location.host : (host ?? null))

export const settings: Settings = {
  projectId: import.meta.env.VITE_FIREBASE_PROJECT_ID,
  apiKey: import.meta.env.VITE_FIREBASE_API_KEY,
  authDomain: import.meta.env.VITE_FIREBASE_AUTH_DOMAIN,
  storageBucket: import.meta.env.VITE_FIREBASE_STORAGE_BUCKET,
  stripePublishableKey: import.meta.env.VITE_STRIPE_PUBLISHABLE_KEY,
  authHost: self(import.meta.env.VITE_FIREBASE_AUTH_EMULATOR_HOST),
  firestoreHost: self(import.meta.env.VITE_FIRESTORE_EMULATOR_HOST),
  storageHost: self(import.meta.env.VITE_FIREBASE_STORAGE_EMULATOR_HOST),
  stripeBase:
    import.meta.env.VITE_STRIPE_API_BASE === 'self'
      ? location.origin
      : (import.meta.env.VITE_STRIPE_API_BASE ?? null),
  recaptchaScript:
    import.meta.env.VITE_RECAPTCHA_SCRIPT === 'self'
      ? '/sandbox/recaptcha.js'
      : (import.meta.env.VITE_RECAPTCHA_SCRIPT ?? null),
  googleAuthUrl:
    import.meta.env.VITE_GOOGLE_AUTH_URL === 'self'
      ? `${location.origin}/sandbox/google/auth`
      : (import.meta.env.VITE_GOOGLE_AUTH_URL ?? 'https://accounts.google.com/o/oauth2/v2/auth'),
  googleClientId: import.meta.env.VITE_GOOGLE_CLIENT_ID ?? null,
}
