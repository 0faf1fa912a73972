// Finds features in built files that a supported engine lacks, according to MDN's compatibility data.
import bcd from '@mdn/browser-compat-data' with { type: 'json' }
import type { CompatStatement, Identifier, SimpleSupportStatement } from '@mdn/browser-compat-data'
import { parseAst } from 'vite'
import { ENGINES } from '../domain/errors/engines.ts'

const BROWSERS = [
  ...Object.entries(ENGINES),
  ['chrome_android', ENGINES.chrome],
  ['safari_ios', ENGINES.safari],
] as const

const GLOBAL_OBJECTS: Readonly<Record<string, string>> = {
  caches: 'CacheStorage',
  crypto: 'Crypto',
  document: 'Document',
  history: 'History',
  indexedDB: 'IDBFactory',
  location: 'Location',
  navigator: 'Navigator',
  performance: 'Performance',
  window: 'Window',
}

/** By name: one entry for each class that defines the name. */
type Support = Map<string, boolean[]>

const { builtins = {}, regular_expressions: patterns = {} } = bcd.javascript
const statics: Support = new Map()
const methods: Support = new Map()
const globals: Support = new Map()
const styleFunctions: Support = new Map()

for (const [name, feature] of listFeatures(builtins)) addClass(name, feature)
for (const [name, feature] of listFeatures(builtins.Intl)) addClass(name, feature)
for (const [name, feature] of listFeatures(bcd.api)) {
  add(globals, name, feature.__compat)
  for (const [member, { __compat }] of listFeatures(feature))
    add(statics, `${name}.${member.replace(/_static$/, '')}`, __compat)
}
collectFunctions(bcd.css.types)

function addClass(name: string, feature: Identifier) {
  add(globals, name, feature.__compat)
  for (const [member, { __compat }] of listFeatures(feature)) {
    if (member === name) continue
    add(statics, `${name}.${member}`, __compat)
    add(methods, member, __compat)
  }
}

function collectFunctions(features: Identifier | undefined) {
  for (const [name, feature] of listFeatures(features)) {
    add(styleFunctions, name, feature.__compat)
    collectFunctions(feature)
  }
}

/** Finds methods only if they are too new in every class. */
export function findMissingScriptFeatures(code: string): string[] {
  const found = new Set<string>()
  visit(parseAst(code, { lang: 'js' }), (node) => {
    if (node.type === 'StaticBlock') found.add('static block')
    if (node.type === 'Literal' && node.regex)
      for (const name of findMissingPatternFeatures(node.regex)) found.add(name)
    if (node.type === 'Identifier' && lacks(globals, node.name)) found.add(node.name)
    if (node.type === 'MemberExpression') {
      const member = staticMember(node)
      if (lacks(statics, member)) found.add(member)
    }
    if (node.type === 'CallExpression' && node.callee.type === 'MemberExpression') {
      const name = getMemberName(node.callee)
      if (!statics.has(staticMember(node.callee)) && lacks(methods, name)) found.add(`.${name}()`)
    }
  })
  return [...found].sort()
}

const staticMember = (node: Node) =>
  `${GLOBAL_OBJECTS[node.object.name] ?? node.object.name}.${getMemberName(node)}`

const getMemberName = ({ computed, property }: Node): string =>
  (computed ? property.value : property.name) ?? ''

// Newer syntax of a regular expression prevents an engine from running the whole file.
function findMissingPatternFeatures({ pattern, flags }: { pattern: string; flags: string }): string[] {
  const used: [string, boolean, Identifier | undefined][] = [
    ['lookbehind', /\(\?<[=!]/.test(pattern), patterns.lookbehind_assertion],
    ['pattern modifiers', /\(\?[ims]*-?[ims]+:/.test(pattern), patterns.modifier],
    ['flag v', flags.includes('v'), builtins.RegExp?.unicodeSets],
  ]
  return used.flatMap(([name, isUsed, feature]) => (isUsed && !has(feature?.__compat) ? [name] : []))
}

export function findMissingStyleFeatures(styles: string): string[] {
  const found = new Set<string>()
  const plain = styles.replace(/\/\*.*?\*\//gs, '').replace(/"[^"]*"|'[^']*'|url\([^)]*\)/g, '""')
  for (const [, head = ''] of plain.matchAll(/([^{};]+)\{/g)) {
    const rule = /^\s*@([\w-]+)/.exec(head)?.[1]
    if (rule && isNewer(bcd.css['at-rules']?.[rule])) found.add(`@${rule}`)
    if (!rule)
      for (const [, name = ''] of head.matchAll(/::?([a-z][a-z-]*)/g))
        if (isNewer(bcd.css.selectors?.[name])) found.add(`:${name}`)
  }
  for (const [, property = '', value = ''] of plain.matchAll(/[{;]\s*([a-z][a-z-]*):([^;{}]*)(?=[;}])/g)) {
    const feature = bcd.css.properties?.[property]
    if (isNewer(feature) && !styles.includes(`-webkit-${property}:`)) found.add(property)
    for (const [, number, word = '', bracket] of value.matchAll(/(?<![\w-])([\d.]+)?([a-z][a-z-]*)(\()?/g)) {
      if (number ? isNewer(units[word]) : bracket && lacks(styleFunctions, word)) found.add(word)
      else if (isNewer(feature?.[word])) found.add(`${property}:${word}`)
    }
  }
  return [...found].sort()
}

const units = bcd.css.types?.length ?? {}

const isNewer = (feature: Identifier | undefined) => feature?.__compat !== undefined && !has(feature.__compat)

const lacks = (names: Support, name: string) => names.get(name)?.every((hasIt) => !hasIt) ?? false

function add(names: Support, name: string, compat: CompatStatement | undefined) {
  if (compat) names.set(name, [...(names.get(name) ?? []), has(compat)])
}

function listFeatures(feature: Identifier | undefined): [string, Identifier][] {
  return Object.entries(feature ?? {}).filter(([name]) => name !== '__compat') as [string, Identifier][]
}

function has(compat: CompatStatement | undefined): boolean {
  return BROWSERS.every(([browser, version]) => {
    const support = compat?.support[browser as keyof CompatStatement['support']]
    if (!support) return true
    return [support].flat().some((statement) => isSupportedBy(statement, version))
  })
}

function isSupportedBy(
  { version_added: since, version_removed, flags, prefix, alternative_name }: SimpleSupportStatement,
  version: string,
) {
  if (version_removed || flags || prefix || alternative_name || typeof since !== 'string') return false
  const [major = Number.NaN, minor = 0] = since.replace('≤', '').split('.').map(Number)
  const [ofMajor = 0, ofMinor = 0] = version.split('.').map(Number)
  return major < ofMajor || (major === ofMajor && minor <= ofMinor)
}

// biome-ignore lint/suspicious/noExplicitAny: the parser's types name a hundred nodes of which five matter here
type Node = any

function visit(node: Node, handle: (node: Node) => void) {
  if (typeof node?.type === 'string') handle(node)
  for (const child of Object.values(node))
    for (const one of [child].flat() as Node[]) if (one && typeof one === 'object') visit(one, handle)
}

export function findMissingPageFeatures(page: string): string[] {
  const inside = (tag: string) =>
    [...page.matchAll(new RegExp(`<${tag}\\b[^>]*>(.*?)</${tag}>`, 'gs'))].map(([, text = '']) => text)
  return [
    ...inside('script').flatMap(findMissingScriptFeatures),
    ...inside('style').flatMap(findMissingStyleFeatures),
  ]
}

export const MISSING_GLOBALS = [...globals, ...statics]
  .filter(([, support]) => !support.some(Boolean))
  .map(([name]) => name)
