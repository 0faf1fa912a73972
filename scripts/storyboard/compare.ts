import type { SceneRecord, StoryboardData } from './data.ts'

/** With this hash, a storyboard sends its scenes to the page around it instead of showing them. */
export const ASK_FOR_SCENES = '#scenes'

export interface BuildDescription {
  readonly kind: 'scenes'
  readonly names: readonly string[]
  readonly texts: SceneRecord
  readonly looks: SceneRecord
}

export const describeBuild = ({ scenes, texts, looks }: StoryboardData): BuildDescription => ({
  kind: 'scenes',
  names: scenes.map(({ name }) => name),
  texts,
  looks,
})

export interface SceneDifference {
  readonly name: string
  /** `text`: other words; `look`: other elements or styles. */
  readonly kind: 'added' | 'removed' | 'text' | 'look' | 'text and look'
  /** The first one in which the scene differs. */
  readonly language: 'fr' | 'en'
}

/** Keeps the order of the new build; removed scenes come last. */
export function listDifferences(before: BuildDescription, now: BuildDescription): SceneDifference[] {
  const differs = (name: string, language: 'fr' | 'en', of: 'texts' | 'looks') =>
    before[of][name]?.[language] !== now[of][name]?.[language]
  const changed = now.names.flatMap((name): SceneDifference[] => {
    if (!before.names.includes(name)) return [{ name, kind: 'added', language: 'fr' }]
    const found = (['fr', 'en'] as const).map((language) => ({
      language,
      text: differs(name, language, 'texts'),
      look: differs(name, language, 'looks'),
    }))
    const first = found.find(({ text, look }) => text || look)
    if (!first) return []
    const [text, look] = [found.some((one) => one.text), found.some((one) => one.look)]
    return [{ name, kind: text && look ? 'text and look' : text ? 'text' : 'look', language: first.language }]
  })
  const removed = before.names.filter((name) => !now.names.includes(name))
  return [...changed, ...removed.map((name) => ({ name, kind: 'removed' as const, language: 'fr' as const }))]
}

const AROUND = 24

export function findChange(before: string, now: string): { readonly before: string; readonly now: string } {
  const shorter = Math.min(before.length, now.length)
  let start = 0
  while (start < shorter && before[start] === now[start]) start += 1
  let end = 0
  while (end < shorter - start && before.at(-1 - end) === now.at(-1 - end)) end += 1
  const cut = (text: string) => text.slice(Math.max(0, start - AROUND), text.length - end + AROUND)
  return { before: cut(before), now: cut(now) }
}

/** Adds a slash at the end. Returns null if the address is not a URL of a page. */
export function parseFolder(address: string, base: string): string | null {
  const url = URL.parse(address.replace(/(?:index\.html)?(?:#.*)?$/, '').replace(/\/?$/, '/'), base)
  return url && ['http:', 'https:', 'file:'].includes(url.protocol) ? url.href : null
}
