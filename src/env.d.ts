/// <reference types="vite/client" />

type AppVariables = import('../domain/settings/appSettings.ts').AppVariables

interface ImportMetaEnv extends Readonly<AppVariables> {
  /** Set in the build for the end-to-end tests (build/build.ts), which contains the inspection. */
  readonly INSPECTED?: boolean
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
