import type { Snapshot } from 'xstate'
import type { Account } from '../domain/account/account.ts'
import type { FunctionName, FunctionRequest, FunctionResponse } from '../domain/api/api.ts'
import type { deviceStore } from '../src/browser/storage.ts'
import type { UserDatabase } from '../src/cache/database.ts'
import type { PageName } from '../src/shell/pageNames.ts'
import type { User } from './frame/user.ts'

/** By file name. */
interface Services {
  readonly accountChanges: typeof import('../src/services/accountChanges.ts')
  readonly accountEnd: typeof import('../src/services/accountEnd.ts')
  readonly addressBook: typeof import('../src/services/addressBook.ts')
  readonly addressConfirmation: typeof import('../src/services/addressConfirmation.ts')
  readonly auth: typeof import('../src/services/auth.ts')
  readonly cancellations: typeof import('../src/services/cancellations.ts')
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

/** `contacts.createContact`, or `functions.pay-invoice`. */
export type ServiceCall =
  | { [Name in keyof Services]: `${Name}.${keyof Services[Name] & string}` }[keyof Services]
  | `functions.${FunctionName}`

/** The value of a call's promise. */
export type ServiceResponse<Call extends ServiceCall> =
  Call extends `functions.${infer Name extends FunctionName}`
    ? FunctionResponse<Name>
    : Call extends `${infer Service extends keyof Services}.${infer Name}`
      ? Name extends keyof Services[Service]
        ? Services[Service][Name] extends (...given: never[]) => infer Returned
          ? Awaited<Returned>
          : never
        : never
      : never

/** A call without a response here or in `buildBaseAnswers` stays pending. */
export type Answers = { readonly [Name in keyof Services]?: Partial<Services[Name]> } & {
  readonly functions?: {
    readonly [Name in FunctionName]?: (body: FunctionRequest<Name>) => Promise<FunctionResponse<Name>>
  }
}

/** By table of the user's database. */
export type SceneRows = {
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

export interface CapturedMachine {
  readonly snapshot: Snapshot<unknown>
  /** The last event's transition, by its place in the chart; null at the start. */
  readonly transition: number | null
}

export interface Scene {
  readonly name: string
  readonly at: ExpectedStates
  /** The screen is visible only during a request, so the tests check one language and one width. */
  readonly isBrief?: true
  /** `/` if missing. */
  readonly path?: string
  readonly page?: PageName
  readonly account: Account | null
  readonly device?: DeviceValues
  readonly rows?: SceneRows
  /** By machine ID: functions that reach the state by the machine's own transitions. */
  readonly snapshots?: Readonly<Record<string, () => Promise<CapturedMachine>>>
  readonly answers?: Answers
  readonly isOffline?: true
  /** Replacements for timers by their original delay in ms: `{ 5000: 0 }` fires a 5 s timer at once. */
  readonly delays?: Readonly<Record<number, number>>
  readonly installation?: 'prompt' | 'safariMenu'
  readonly hasBrokenStorage?: true
  /** File name, without extension, of a chunk that the server no longer has. */
  readonly missingCode?: string
  readonly userAgent?: string
  readonly hasNoServiceWorkers?: true
  readonly hasNoPasskeys?: true
  readonly isStorageBlocked?: true
  /** Reaches a state that no machine or storage holds, such as an open sheet. */
  readonly act?: (user: User) => Promise<void>
  /** The last text to appear, which may need a chunk, rows or a response. */
  readonly shows?: string
}

/** `scheme`: null follows the browser. */
export interface SceneView {
  readonly language: 'fr' | 'en'
  readonly scheme: 'light' | 'dark' | null
  /** In percent of the browser's default. */
  readonly textSize: number
  readonly isSlow: boolean
}

/** The time in every scene and in the machines' test situations, in UTC ms: a Friday. */
export const SCENE_TIME = Date.UTC(2026, 10, 20, 12)
