import type { Snapshot } from 'xstate'
import type { Account } from '../domain/account/account.ts'
import type { FunctionName } from '../domain/api/api.ts'
import type { deviceStore } from '../src/browser/storage.ts'
import type { UserDatabase } from '../src/cache/database.ts'
import type { PageName } from '../src/shell/pageNames.ts'
import type { User } from './frame/user.ts'

/** The services that the app calls, by file name. They reach everything outside the browser. */
interface Services {
  readonly accountChanges: typeof import('../src/services/accountChanges.ts')
  readonly accountEnd: typeof import('../src/services/accountEnd.ts')
  readonly addressBook: typeof import('../src/services/addressBook.ts')
  readonly addressConfirmation: typeof import('../src/services/addressConfirmation.ts')
  readonly auth: typeof import('../src/services/auth.ts')
  readonly cardPayments: typeof import('../src/services/cardPayments.ts')
  readonly contacts: typeof import('../src/services/contacts.ts')
  readonly files: typeof import('../src/services/files.ts')
  readonly googleSignIn: typeof import('../src/services/googleSignIn.ts')
  readonly holders: typeof import('../src/services/holders.ts')
  readonly identityFiles: typeof import('../src/services/identityFiles.ts')
  readonly identityLimit: typeof import('../src/services/identityLimit.ts')
  readonly invoices: typeof import('../src/services/invoices.ts')
  readonly ledgers: typeof import('../src/services/ledgers.ts')
  readonly mailedReceipts: typeof import('../src/services/mailedReceipts.ts')
  readonly phoneCodes: typeof import('../src/services/phoneCodes.ts')
  readonly profiles: typeof import('../src/services/profiles.ts')
  readonly pushSubscriptions: typeof import('../src/services/pushSubscriptions.ts')
  readonly signUp: typeof import('../src/services/signUp.ts')
  readonly subscriptions: typeof import('../src/services/subscriptions.ts')
  readonly transactions: typeof import('../src/services/transactions.ts')
  readonly walletTariffs: typeof import('../src/services/walletTariffs.ts')
}

/**
 * Responses of the services' functions. A call without a response here or in `buildBaseAnswers` stays
 * pending.
 */
export type Answers = { readonly [Name in keyof Services]?: Partial<Services[Name]> } & {
  /** Responses of the product's own server functions, by name. */
  readonly functions?: { readonly [Name in FunctionName]?: (body: never) => Promise<unknown> }
}

/** Rows of the user's database on the device, by table. */
export type Rows = {
  readonly [Table in keyof UserDatabase as UserDatabase[Table] extends { bulkPut: unknown }
    ? Table
    : never]?: UserDatabase[Table] extends { bulkPut(rows: readonly (infer Row)[]): unknown }
    ? readonly Row[]
    : never
}

type DeviceKey = Parameters<typeof deviceStore.set>[0]
type DeviceValues = { readonly [Key in DeviceKey]?: ReturnType<typeof deviceStore.get<Key>> }

/** The expected innermost state of each machine, by machine ID; null if the machine must not run. */
export type ExpectedStates = Readonly<Record<string, string | null>>

export const SIGNED_OUT_STATES: ExpectedStates = {
  session: 'signedOut.idle',
  popupQueue: 'idle',
  update: 'upToDate',
}
/** Signed in, with the transfer form open for changes, even if a page covers it. */
export const IN_APP_STATES: ExpectedStates = {
  session: 'signedIn.usingApp',
  transfer: 'editing',
  update: 'upToDate',
}

/** A screen of the product as data: everything that decides what the app shows. */
export interface Scene {
  readonly name: string
  readonly at: ExpectedStates
  /**
   * Set if the screen is visible only during a request and resembles the previous one. The tests then check
   * it in one language and at one width only.
   */
  readonly isBrief?: true
  /** Path and query of the page; `/` if missing. */
  readonly path?: string
  /** The open page over the home screen. */
  readonly page?: PageName
  /** The account that is signed in on this device; null for a signed-out user. */
  readonly account: Account | null
  /** Values that the device stores outside the database. */
  readonly device?: DeviceValues
  readonly rows?: Rows
  /**
   * Functions that bring a machine to its state by its own transitions and return the snapshot, by machine
   * ID.
   */
  readonly snapshots?: Readonly<Record<string, () => Promise<Snapshot<unknown>>>>
  readonly answers?: Answers
  readonly isOffline?: true
  /**
   * Replacement delays for the app's timers, keyed by the original delay (ms): `{ 5000: 0 }` makes a 5 s
   * timer fire immediately.
   */
  readonly delays?: Readonly<Record<number, number>>
  /** How the app can be installed; if missing, it can't be. */
  readonly installation?: 'prompt' | 'safariMenu'
  /** Set if the device refuses to open a database. */
  readonly hasBrokenStorage?: true
  /** The file name, without extension, of a chunk that the server no longer has. */
  readonly missingCode?: string
  /** How the browser identifies itself, if that matters. */
  readonly userAgent?: string
  /** Set if the browser has no service workers. */
  readonly hasNoServiceWorkers?: true
  /** Set if the device can't recognize its user. */
  readonly hasNoPasskeys?: true
  /** Set if the browser refuses all storage. */
  readonly isStorageBlocked?: true
  /** Takes a user's steps to a state that no machine or storage holds, such as an open sheet. */
  readonly act?: (user: User) => Promise<void>
}

/** How a scene is shown. `scheme`: null follows the browser. */
export interface SceneView {
  readonly language: 'fr' | 'en'
  readonly scheme: 'light' | 'dark' | null
  /** Size of the text in percent of the browser's default. */
  readonly textSize: number
  /** Whether each response of a service takes two seconds. */
  readonly isSlow: boolean
}

/** The time in every scene and in the machines' test situations, in UTC ms: a Friday. */
export const SCENE_TIME = Date.UTC(2026, 10, 20, 12)
