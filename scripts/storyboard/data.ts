import type { StateValue } from 'xstate'
import type { Unseen } from '../../e2e/unseen.ts'
import type { Ways } from '../../machines/testing/ways.ts'
import { type Chart, isPassedThrough, withInner } from '../statecharts/chart.ts'

/** A screen of the product, with the states that it stands in: of each machine by its id the innermost one. */
export interface StandingScreen {
  readonly name: string
  readonly at: Readonly<Record<string, string | null>>
}

/** What a machine went through, by the values of its states. */
export interface Recording {
  readonly name: string
  readonly machine: string
  readonly steps: readonly RecordedStep[]
}

export interface RecordedStep {
  readonly event: string | null
  readonly value: StateValue
  /** Whether the machine threw. */
  readonly hasFailed?: true
}

/** All paths that a test of a machine walked. */
export interface Walked {
  readonly machine: string
  readonly test: string
  readonly ways: Ways
}

/** What the page shows beside the machines themselves. */
export interface StoryboardData {
  readonly screens: readonly StandingScreen[]
  /** By machine and state: why nobody sees it. */
  readonly unseen: Readonly<Record<string, Readonly<Record<string, Unseen>>>>
  readonly walks: readonly Walked[]
  /** The pictures that were taken, by the names of their files. */
  readonly pictures: readonly string[]
  /** Where the page finds them. */
  readonly folder: string
}

export const WINDOWS = { phone: { width: 360, height: 740 }, desk: { width: 1280, height: 800 } } as const
export type WindowName = keyof typeof WINDOWS

/** Which picture of a screen. */
export interface View {
  readonly window: WindowName
  readonly language: 'fr' | 'en'
  readonly scheme: 'light' | 'dark'
}

const WINDOW_NAMES = ['phone', 'desk'] as const
export const LANGUAGES = ['fr', 'en'] as const
const SCHEMES = ['light', 'dark'] as const

/** All pictures of a screen. */
export const VIEWS: readonly View[] = WINDOW_NAMES.flatMap((window) =>
  LANGUAGES.flatMap((language) => SCHEMES.map((scheme) => ({ window, language, scheme }))),
)

/** The name of a picture's file. */
export const pictureName = (screen: string, { window, language, scheme }: View) =>
  `${screen}-${window}-${language}-${scheme}.jpg`

/** The screens in which people see a machine in this state or one inside of it, and why there may be none of its own. */
export function seenIn(
  { screens, unseen }: Pick<StoryboardData, 'screens' | 'unseen'>,
  chart: Chart,
  state: string,
): { readonly screens: readonly string[]; readonly reason: string | null } {
  const told = Object.entries(unseen[chart.name] ?? {}).filter(([id]) => isIn(id, state))
  const standing = screens.filter(({ at }) => isIn(at[chart.name] ?? '', state)).map(({ name }) => name)
  const seen = [...new Set([...standing, ...told.flatMap(([, { toldBy }]) => toldBy)])]
  const own = told.find(([id]) => id === state)?.[1].why ?? reasonIn(chart, state)
  const inner = seen.length === 0 ? [...new Set(told.map(([, { why }]) => why))].join(' ') : ''
  return { screens: seen, reason: own ?? (inner || null) }
}

const isIn = (state: string, outer: string) => state === outer || state.startsWith(`${outer}.`)

/** What the chart itself says of a state that nobody can see. */
function reasonIn(chart: Chart, state: string): string | null {
  const found = withInner(chart.root).find(({ id }) => id === state)
  if (!found || !isPassedThrough(chart, found)) return null
  return found.kind === 'final'
    ? 'It is the end: what comes next stands there already.'
    : 'It is left at once, so nobody sees it.'
}
