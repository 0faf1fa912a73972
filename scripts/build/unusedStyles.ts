/**
 * Styles of Mantine that the app does not need. Mantine has no switch for this, so these lists depend on the
 * names of its classes and variables in version 9.7. If an update renames one, only the sheets grow; if it
 * reuses one for something else, a style is missing. `unusedStyles.test.ts` checks the names.
 */

/** Component and part in the library's build, by class name. The app uses none of them. */
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

/**
 * Mantine declares headings, shadows, 14 colors in all shades and variants, and five sizes of each component.
 * The app has its own in src/ui/theme.css, and one size.
 */
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
]

/** States of the library's controls that the app's never have, or draw themselves. */
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

/** Creates a PostCSS plugin that removes these styles. */
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
    Declaration(declaration: { prop: string; remove(): void }) {
      if (UNUSED_VARIABLES.some((names) => names.test(declaration.prop))) declaration.remove()
    },
  }
}
