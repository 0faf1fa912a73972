import type { Told } from '../../src/inspection/tell.ts'
import type { Recording } from './data.ts'

/** The steps of each machine that a file tells of, each run for itself; none of a file that is something else. */
export function recordingsOf(text: string): Recording[] {
  let told: unknown
  try {
    told = JSON.parse(text)
  } catch {
    return []
  }
  if (!Array.isArray(told)) return []
  const runs = Map.groupBy(told.filter(isTold), ({ machine, actor }) => `${machine} ${actor}`)
  return [...runs].map(([name, run]) => ({
    name,
    machine: run[0]?.machine ?? '',
    steps: run.map(({ event, value }) => ({ event, value })),
  }))
}

function isTold(one: unknown): one is Told {
  if (typeof one !== 'object' || one === null) return false
  const { machine, event, value } = one as Partial<Record<string, unknown>>
  return typeof machine === 'string' && typeof event === 'string' && isValue(value)
}

/** A state's name, or states by the names of those around them. */
const isValue = (value: unknown): boolean =>
  typeof value === 'string' ||
  (typeof value === 'object' && value !== null && Object.values(value).every(isValue))
