/// <reference types="vite/client" />

interface ImportMetaEnv {
  readonly VITE_FIREBASE_PROJECT_ID: string
  readonly VITE_FIREBASE_API_KEY: string
  readonly VITE_FIREBASE_AUTH_DOMAIN: string
  readonly VITE_FIREBASE_STORAGE_BUCKET: string
  readonly VITE_STRIPE_PUBLISHABLE_KEY: string
  readonly VITE_SUPPORT_PHONE: string
  readonly VITE_SUPPORT_EMAIL: string
  readonly VITE_SUPPORT_CHAT_URL: string
  readonly VITE_OPERATOR_NAME: string
  readonly VITE_OPERATOR_LICENCE: string
  readonly VITE_OPERATOR_SUPERVISOR: string
  readonly VITE_OPERATOR_ADDRESS: string
  readonly VITE_COMPLAINTS_EMAIL: string
  readonly VITE_FIREBASE_AUTH_EMULATOR_HOST?: string
  readonly VITE_FIRESTORE_EMULATOR_HOST?: string
  readonly VITE_FIREBASE_STORAGE_EMULATOR_HOST?: string
  readonly VITE_STRIPE_API_BASE?: string
  readonly VITE_RECAPTCHA_SCRIPT?: string
  readonly VITE_GOOGLE_AUTH_URL?: string
  readonly VITE_GOOGLE_CLIENT_ID?: string
  /** Set in the build for the end-to-end tests (scripts/build/build.ts), which contains the inspection. */
  readonly INSPECTED?: boolean
  readonly VITE_VAPID_PUBLIC_KEY?: string
  readonly VITE_MAIL_FROM?: string
  readonly VITE_MTN_LONGEST_MINUTES?: string
  readonly VITE_BY_HAND_LONGEST_MINUTES?: string
  readonly VITE_HOLDER_NAMES?: string
  readonly VITE_RECIPIENT_NAME_REQUIRED?: string
  readonly VITE_IDENTITY_REQUIRED_FROM?: string
  readonly VITE_WALLET_TARIFFS?: string
  /** Set by `npm run dev -- --inspect`. */
  readonly VITE_INSPECT?: string
}

declare module '*.po' {
  import type { Messages } from '@lingui/core'
  export const messages: Messages
}

/** TypeScript's DOM types lack this class, and not every browser has it. */
declare class CloseWatcher {
  onclose: (() => void) | null
  destroy(): void
}
