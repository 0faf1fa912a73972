/** Set by the opening script. */
const OF_THE_PAGE = new Set(['data-mantine-color-scheme', 'data-opening', 'dir', 'lang'])

interface ElementOfMarkup {
  readonly tag: string
  readonly classes: readonly string[]
  /** As in the markup: ` hidden="" data-size="sm"`. */
  readonly attributes: string
}

/**
 * Keeps the rules that can match elements of the markup, in order, and the variables in use. Nothing moves or
 * reacts to a pointer before the whole sheets are there.
 */
export function extractCriticalStyles(styles: string, markup: string): string {
  const elements = listElements(`<html><body>${markup}`)
  const fits = (selector: string) =>
    !/:(hover|active|disabled|host)/.test(selector.replace(/:not\([^()]*\)/g, '')) &&
    splitCompounds(selector).every((compound) => elements.some((element) => matches(element, compound)))
  const fitting = (rules: string): string =>
    splitRules(rules)
      .map(({ head, body }) => {
        if (body === null) return head
        if (/^@keyframes|prefers-reduced-motion/.test(head)) return ''
        if (/^@(media|supports|layer|container)/.test(head)) return block(head, fitting(body))
        return block(head.startsWith('@') ? head : splitSelectors(head).filter(fits).join(), body)
      })
      .join('')
  const still = styles.replace(/(?<=[;{])(transition|animation)[\w-]*:[^;{}]*(;|(?=}))/g, '')
  return dropUnusedVariables(dropOverriddenVariables(fitting(still)), markup)
}

const listElements = (markup: string): ElementOfMarkup[] =>
  [...markup.matchAll(/<([a-z][a-z\d]*)([^<>]*)>/g)].map(([, tag = '', attributes = '']) => ({
    tag,
    classes: / class="([^"]*)"/.exec(attributes)?.[1]?.split(' ') ?? [],
    attributes,
  }))

/** Leaves out what markup can't decide. */
const splitCompounds = (selector: string) =>
  selector
    .replace(/:not\([^()]*\)/g, '')
    .replace(/:where\(([^(),]*)\)/g, '$1')
    .replace(/:has\(([^()]*)\)/g, ' $1')
    .replace(/::?[\w-]+(\([^()]*\))?/g, '')
    .split(/[\s>+~]+/)

function matches({ tag, classes, attributes }: ElementOfMarkup, compound: string): boolean {
  const [wanted] = /^[a-z][a-z\d]*/.exec(compound) ?? [tag]
  return (
    wanted === tag &&
    [...compound.matchAll(/\.(-?[_a-zA-Z][\w-]*)/g)].every(([, name = '']) => classes.includes(name)) &&
    [...compound.matchAll(/\[([\w-]+)(?:="?([^"\]]*)"?)?\]/g)].every(
      ([, name = '', value]) =>
        OF_THE_PAGE.has(name) ||
        attributes.includes(value === undefined ? ` ${name}="` : ` ${name}="${value}"`),
    )
  )
}

const block = (head: string, body: string) => (head && body ? `${head}{${body}}` : '')

function splitRules(styles: string): { head: string; body: string | null }[] {
  const rules: { head: string; body: string | null }[] = []
  let depth = 0
  let start = 0
  let opened = 0
  for (const { 0: sign, index } of styles.matchAll(/[{};]/g)) {
    if (sign === '{') {
      if (depth === 0) opened = index
      depth += 1
      continue
    }
    if (sign === '}') depth -= 1
    if (depth > 0) continue
    const isBlock = sign === '}'
    const head = styles.slice(start, isBlock ? opened : index + 1).trim()
    rules.push({ head, body: isBlock ? styles.slice(opened + 1, index) : null })
    start = index + 1
  }
  return rules
}

function splitSelectors(head: string): string[] {
  const selectors = ['']
  let depth = 0
  for (const sign of head) {
    if (sign === '(') depth += 1
    if (sign === ')') depth -= 1
    if (sign === ',' && depth === 0) selectors.push('')
    else selectors.push(`${selectors.pop()}${sign}`)
  }
  return selectors
}

const DECLARATION = /(?<=[;{]|^)(--[\w-]+):[^;{}]*(;|(?=})|$)/g

/** A variable of the root outside of layers wins over the same one within a layer. */
function dropOverriddenVariables(styles: string): string {
  const ofRoot = splitRules(styles).filter(({ head }) => splitSelectors(head).includes(':root'))
  const own = new Set(
    ofRoot.flatMap(({ body }) => [...(body ?? '').matchAll(DECLARATION)].map(([, name]) => name)),
  )
  const dropFrom = (rules: string, isLayered: boolean): string =>
    splitRules(rules)
      .map(({ head, body }) => {
        if (body === null) return head
        if (head.startsWith('@layer')) return block(head, dropFrom(body, true))
        if (!isLayered || !head.startsWith(':root')) return block(head, body)
        return block(
          head,
          body.replace(DECLARATION, (declaration, name) => (own.has(name) ? '' : declaration)),
        )
      })
      .join('')
  return dropFrom(styles, false)
}

function dropUnusedVariables(styles: string, markup: string): string {
  const usedNames = new Set([...(styles + markup).matchAll(/var\(\s*(--[\w-]+)/g)].map(([, name]) => name))
  const less = styles.replace(DECLARATION, (declaration, name) => (usedNames.has(name) ? declaration : ''))
  // A removed variable may have been the only use of another one.
  return less === styles ? styles.trim() : dropUnusedVariables(less, markup)
}
