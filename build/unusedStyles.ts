/**
 * Mantine has no switch for these styles, so the lists depend on the names of version 9.7. If an update
 * reuses a name, a style is missing. `unusedStyles.test.ts` checks the names.
 */

/** Component and part in the library's build, by class name. */
export const UNUSED_PARTS: Readonly<Record<string, readonly [component: string, part: string]>> = {
  m_5d2b3b9d: ['Loader', 'bars-loader-animation'],
  m_7a2bd4cd: ['Loader', 'barsLoader'],
  m_870bb79: ['Loader', 'bar'],
  m_aac34a1: ['Loader', 'loader-dots-animation'],
  m_4e3f22d7: ['Loader', 'dotsLoader'],
  m_870c4af: ['Loader', 'dot'],
  m_595ab216: ['Checkbox', 'input--light'],
  m_215c4542: ['Checkbox', 'input--outline'],
  m_80d6d844: ['Button', 'group'],
  m_70be2a01: ['Button', 'groupSection'],
}

/** The app has its own colors and sizes in src/ui/theme.css and controls.module.css. */
export const UNUSED_VARIABLES: readonly RegExp[] = [
  /^--mantine-color-(pink|grape|violet|indigo|cyan|teal(?!-8$)|green|lime|yellow|orange)-/,
  /^--mantine-color-\w+-outline/,
  /^--mantine-h\d/,
  /^--mantine-shadow-(xs|sm|lg)/,
  /^--mantine-breakpoint/,
  /^--mantine-heading/,
  /^--mantine-font-family-headings/,
  /^--mantine-primary-color-\d/,
  /^--(section|button|input)-.*(-(xs|md|lg|xl)$|-compact-)/,
  /^--input-(bd|bg|color|line-height|padding|size)/,
  /^--button-(bd|bg|color|fz|hover|padding|radius)/,
]

/** The app's controls never have these states, or draw them themselves. */
export const UNUSED_STATES: readonly RegExp[] = [
  /data-combined-clear-section/,
  /data-success/,
  /data-multiline/,
  /::-webkit-(search|inner|outer)/,
  /\.m_77c9d27d(.*::before|:hover|:active)/,
  /data-monospace/,
  /\.m_6c018570\[data-variant='?(filled|unstyled)/,
  /\[dir=/,
]

const nameOfUnusedPart = new RegExp(`\\b(${Object.keys(UNUSED_PARTS).join('|')})\\b`)

export function createUnusedStylesPlugin() {
  return {
    postcssPlugin: 'without-unused-styles',
    Rule(rule: { selector: string; selectors: string[]; remove(): void }) {
      const isNever = (selector: string) => UNUSED_STATES.some((state) => state.test(selector))
      if (nameOfUnusedPart.test(rule.selector) || rule.selectors.every(isNever)) rule.remove()
    },
    AtRule(rule: { params: string; remove(): void }) {
      if (nameOfUnusedPart.test(rule.params)) rule.remove()
    },
    Declaration(declaration: { prop: string; value: string; remove(): void }) {
      const variables = [declaration.prop, ...(declaration.value.match(/--[\w-]+/g) ?? [])]
      if (variables.some((name) => UNUSED_VARIABLES.some((names) => names.test(name)))) declaration.remove()
    },
  }
}
