import type { Chart } from '../../statecharts/chart.ts'
import { flattenStates } from '../../statecharts/chart.ts'
import { formatCause } from '../../statecharts/mermaid.ts'
import type { StoryboardData } from './data.ts'
import type { Selection } from './selection.ts'

export interface SearchResult {
  readonly kind: 'state' | 'event' | 'scene' | 'text'
  readonly name: string
  readonly to: Pick<Selection, 'machine' | 'state' | 'scene'> & { readonly language?: 'fr' | 'en' }
}

const MAX_RESULTS = 20

/** Also finds the texts that users read. Spaces and upper case make no difference. */
export function search(wanted: string, charts: readonly Chart[], data: StoryboardData): SearchResult[] {
  const words = simplify(wanted)
  if (words.length < 2) return []
  const isFound = (text: string) => simplify(text).includes(words)
  const states = charts.flatMap((chart) =>
    flattenStates(chart.root)
      .filter(({ id }) => id !== '' && isFound(id))
      .map(({ id }) => ({
        kind: 'state' as const,
        name: `${chart.name}: ${id}`,
        to: { machine: chart.name, state: id, scene: null },
      })),
  )
  const events = charts.flatMap((chart) =>
    chart.transitions
      .map((transition) => ({ from: transition.from, cause: formatCause(transition.cause, chart.delays) }))
      .filter(({ cause }) => isFound(cause))
      .map(({ from, cause }) => ({
        kind: 'event' as const,
        name: `${chart.name}: ${cause} in ${from || 'any state'}`,
        to: { machine: chart.name, state: from || null, scene: null },
      })),
  )
  const scenes = data.scenes
    .filter(({ name }) => isFound(name))
    .map((scene) => ({ kind: 'scene' as const, name: scene.name, to: findMachine(scene) }))
  const texts = data.scenes.flatMap((scene) =>
    (['fr', 'en'] as const)
      .filter((language) => isFound(data.texts[scene.name]?.[language] ?? ''))
      .map((language) => ({
        kind: 'text' as const,
        name: `${scene.name}, ${language}`,
        to: { ...findMachine(scene), language },
      })),
  )
  return [...states, ...scenes, ...texts, ...events].slice(0, MAX_RESULTS)
}

const simplify = (text: string) => text.toLowerCase().replace(/[\s’']+/gu, '')

/** These run in most scenes, so any other machine says more about a scene. The last one says the least. */
const COMMON = ['transfer', 'session', 'update']

function findMachine({ name, at }: StoryboardData['scenes'][number]) {
  const running = Object.entries(at).filter(([, state]) => state !== null)
  const [machine, state] = running.sort(
    ([one], [other]) => COMMON.indexOf(one) - COMMON.indexOf(other),
  )[0] ?? ['session', null]
  return { machine, state, scene: name }
}
