import type { StateValue } from 'xstate'
import type { Ways } from '../../machines/testing/ways.ts'

/** A screen of the product, with the states that it stands in: of each machine by its id the innermost one. */
export interface Shown {
  readonly name: string
  readonly at: Readonly<Record<string, string | null>>
}

/** What a machine went through, by the values of its states. */
export interface Recording {
  readonly name: string
  readonly machine: string
  readonly steps: readonly { readonly event: string | null; readonly value: StateValue }[]
}

/** All paths that a test of a machine walked. */
export interface Walked {
  readonly machine: string
  readonly test: string
  readonly ways: Ways
}

/** What the page shows beside the machines themselves. */
export interface StoryboardData {
  readonly screens: readonly Shown[]
  /** By machine and state: why nobody sees it. Names of screens stand between backticks. */
  readonly unseen: Readonly<Record<string, Readonly<Record<string, string>>>>
  readonly walks: readonly Walked[]
  /** Whether there are pictures, and where. */
  readonly pictures: string | null
}

export const WINDOWS = { phone: { width: 360, height: 740 }, desk: { width: 1280, height: 800 } } as const
export type Window = keyof typeof WINDOWS

/** Which picture of a screen. */
export interface View {
  readonly window: Window
  readonly language: 'fr' | 'en'
  readonly scheme: 'light' | 'dark'
}

export const pictureName = (screen: string, { window, language, scheme }: View) =>
  `${screen}-${window}-${language}-${scheme}.jpg`

/** The screens in which people see a machine in this state, and why there may be none. */
export function seenIn(
  { screens, unseen }: Pick<StoryboardData, 'screens' | 'unseen'>,
  machine: string,
  state: string,
): { readonly screens: readonly string[]; readonly reason: string | null } {
  const reason = unseen[machine]?.[state] ?? null
  const told = [...(reason ?? '').matchAll(/`([\w-]+)`/g)].flatMap(([, name]) => name ?? [])
  const standing = screens.filter(({ at }) => at[machine] === state)
  const named = screens.filter((screen) => told.includes(screen.name) && !standing.includes(screen))
  return { screens: [...standing, ...named].map(({ name }) => name), reason }
}
