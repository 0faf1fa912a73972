/** Set by the opening script. */
const OF_THE_PAGE = new Set(['data-mantine-color-scheme', 'data-opening', 'dir', 'lang'])

/** Keeps the rules that match the markup's classes and attributes, in order, and the variables in use. */
export function extractCriticalStyles(styles: string, markup: string): string {
  const worn = new Set(
    [...markup.matchAll(/class="([^"]*)"/g)].flatMap(([, names = '']) => names.split(/\s+/)),
  )
  const has = (name: string, value: string | undefined) =>
    OF_THE_PAGE.has(name) || markup.includes(value === undefined ? ` ${name}` : ` ${name}="${value}"`)
  const fits = (selector: string) => {
    const wanted = selector.replace(/:not\([^()]*\)/g, '')
    return (
      !/:(hover|active|disabled)/.test(wanted) &&
      [...wanted.matchAll(/\.(-?[_a-zA-Z][\w-]*)/g)].every(([, name = '']) => worn.has(name)) &&
      [...wanted.matchAll(/\[([\w-]+)(?:="?([^"\]]*)"?)?\]/g)].every(([, name = '', value]) =>
        has(name, value),
      )
    )
  }
  const fitting = (rules: string): string =>
    splitRules(rules)
      .map(({ head, body }) => {
        if (body === null) return head
        if (/^@(media|supports|layer|container)/.test(head)) return block(head, fitting(body))
        return block(head.startsWith('@') ? head : splitSelectors(head).filter(fits).join(), body)
      })
      .join('')
  return dropUnusedVariables(fitting(styles), markup)
}

const block = (head: string, body: string) => (head && body ? `${head}{${body}}` : '')

/** Statements have no body. */
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

function dropUnusedVariables(styles: string, markup: string): string {
  const asked = new Set([...(styles + markup).matchAll(/var\(\s*(--[\w-]+)/g)].map(([, name]) => name))
  const less = styles.replace(/(?<=[;{])(--[\w-]+):[^;{}]*(;|(?=}))/g, (declaration, name) =>
    asked.has(name) ? declaration : '',
  )
  // A removed variable may have been the only use of another one.
  return less === styles ? styles.trim() : dropUnusedVariables(less, markup)
}
