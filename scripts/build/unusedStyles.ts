/**
 * What the app leaves out of the library's style sheets. Mantine has no switch for it: this leans on the names of its classes and
 * variables, as they are in version 9.7. When an update renames one, nothing looks different, but the sheets grow;
 * when it uses one for something else, a style is missing. `unusedStyles.test.ts` says which name it is.
 */

/** By the class that the build of the library gives it: the component, and its part. The app has none of them. */
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
  m_1a0f1b21: ['ActionIcon', 'group'],
  m_437b6484: ['ActionIcon', 'groupSection'],
}

/**
 * The library declares headings, shadows, fourteen colours in all their shades and uses, and five sizes of each component.
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
  /^--ai-size-input-/,
  /^--(section|button|input|psi)-.*(-(xs|md|lg|xl)$|-compact-)/,
]

const nameOfUnusedPart = new RegExp(`\\b(${Object.keys(UNUSED_PARTS).join('|')})\\b`)

/** A plugin of PostCSS that leaves out what the app has no use for. */
export function withoutUnusedStyles() {
  return {
    postcssPlugin: 'without-unused-styles',
    Rule(rule: { selector: string; remove(): void }) {
      if (nameOfUnusedPart.test(rule.selector)) rule.remove()
    },
    AtRule(rule: { params: string; remove(): void }) {
      if (nameOfUnusedPart.test(rule.params)) rule.remove()
    },
    Declaration(declaration: { prop: string; remove(): void }) {
      if (UNUSED_VARIABLES.some((names) => names.test(declaration.prop))) declaration.remove()
    },
  }
}
