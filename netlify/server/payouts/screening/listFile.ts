import { DAY, MINUTE } from '../../../../domain/common/duration.ts'
import type { ListProblem, ScreeningHit } from '../../../../domain/payouts/screening.ts'
import { createStorageClient, type StorageSettings } from '../../platform/storage.ts'
import type { ScreeningSettings } from '../settings.ts'
import { createNameIndex, type NameIndex } from './names.ts'
import type { Screening } from './screening.ts'
import { parseTargets } from './targetsCsv.ts'

const LOOK_EVERY = 10 * MINUTE

interface Loaded {
  readonly generation: string
  readonly content: Content
}
type Content =
  | { readonly index: NameIndex; readonly listedAt: number; readonly persons: number }
  | { readonly problem: ListProblem }

/** A list that can't be read now is unreadable, even if it is in memory: it may have been withdrawn. */
export function createListFileScreening(
  settings: StorageSettings,
  { path, maxAge }: ScreeningSettings,
  now: () => number,
): Screening {
  const storage = createStorageClient(settings)
  let loaded: Loaded | null = null
  let lookedAt = Number.NEGATIVE_INFINITY
  let loading: Promise<Content> | null = null

  async function load(): Promise<Content> {
    const found = (await storage.list(path, 1)).find(({ name }) => name === path)
    if (!found) return { problem: 'missing' }
    if (loaded?.generation !== found.generation) {
      // The largest file takes 100 MB, so the old one goes first.
      loaded = null
      const bytes = await storage.read(path)
      if (!bytes) return { problem: 'missing' }
      loaded = { generation: found.generation, content: parse(bytes) }
    }
    lookedAt = now()
    return loaded.content
  }

  async function find(): Promise<Content> {
    if (loaded && now() - lookedAt < LOOK_EVERY) return loaded.content
    loading ??= load()
      .catch((): Content => ({ problem: 'unreadable' }))
      .finally(() => {
        loading = null
      })
    return loading
  }

  async function findUsable() {
    const content = await find()
    if ('problem' in content) return content
    const age = now() - content.listedAt
    // A date in the future would keep the list fresh forever.
    if (age < -DAY) return { problem: 'unreadable' as const }
    return age > maxAge ? { problem: 'outdated' as const } : content
  }

  return {
    async screen({ names, birthDate }, { recipientName }) {
      const list = await findUsable()
      if ('problem' in list) return { kind: 'unusable', problem: list.problem }
      const search = (who: ScreeningHit['who'], name: string, born: string | null) =>
        list.index.find(name, born).map(({ entry, names: [listedName = ''], birthDates }) => ({
          ...{ who, entry, name: listedName },
          birthDates: [...birthDates],
        }))
      const hits = [
        ...names.flatMap((name) => search('sender', name, birthDate)),
        ...(recipientName === null ? [] : search('recipient', recipientName, null)),
      ]
      if (hits.length === 0) return { kind: 'clear' }
      const unique = new Map(hits.map((hit) => [`${hit.who} ${hit.entry}`, hit]))
      return { kind: 'hit', hits: [...unique.values()].slice(0, MAX_HITS) }
    },
    async check() {
      const list = await findUsable()
      if ('problem' in list) return { kind: 'unusable', problem: list.problem }
      return { kind: 'usable', listedAt: list.listedAt, persons: list.persons }
    },
  }
}

const MAX_HITS = 20

function parse(bytes: Uint8Array): Content {
  const parsed = parseTargets(bytes)
  if (!parsed.ok) return { problem: parsed.error }
  const { persons, listedAt } = parsed.value
  return { index: createNameIndex(persons), listedAt, persons: persons.length }
}
