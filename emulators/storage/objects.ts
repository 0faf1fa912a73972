import { createHash, randomUUID } from 'node:crypto'
import type { Clock } from '../emulator.ts'
import type { RulesResource } from '../rules/request.ts'
import type { WireValue } from '../wire.ts'

/** The metadata that an uploader may set. */
export interface Descriptions {
  readonly contentType?: string
}

export interface StoredObject {
  readonly bucket: string
  readonly name: string
  readonly content: Buffer
  readonly descriptions: Descriptions
  readonly generation: number
  readonly metageneration: number
  /** UTC milliseconds. */
  readonly createdAt: number
  readonly updatedAt: number
  /** Whoever holds one of them may download the object. */
  readonly downloadTokens: readonly string[]
}

const DEFAULT_TYPE = 'application/octet-stream'

/** All objects of all buckets; a bucket exists as soon as somebody names it. */
export function createObjects(clock: Clock) {
  let objects = new Map<string, StoredObject>()
  let lastGeneration = 0
  const keyOf = (bucket: string, name: string) => `${bucket}/${name}`
  const nextGeneration = () => {
    // Microseconds, as the service counts; two of one instant differ all the same.
    lastGeneration = Math.max(lastGeneration + 1, Math.floor(clock.now()) * 1000)
    return lastGeneration
  }

  return {
    get: (bucket: string, name: string): StoredObject | null => objects.get(keyOf(bucket, name)) ?? null,

    /** What would be stored, for the rules to look at. */
    draft(bucket: string, name: string, content: Buffer, descriptions: Descriptions): StoredObject {
      const now = Math.floor(clock.now())
      return {
        bucket,
        name,
        content,
        descriptions: { ...descriptions, contentType: descriptions.contentType || DEFAULT_TYPE },
        generation: nextGeneration(),
        metageneration: 1,
        createdAt: now,
        updatedAt: now,
        downloadTokens: [randomUUID()],
      }
    },

    /** Removes the tokens that allow a download. */
    sealed: (object: StoredObject): StoredObject => ({
      ...object,
      downloadTokens: [],
      metageneration: object.metageneration + 1,
      updatedAt: Math.floor(clock.now()),
    }),

    put(object: StoredObject) {
      objects.set(keyOf(object.bucket, object.name), object)
    },
    remove(bucket: string, name: string) {
      objects.delete(keyOf(bucket, name))
    },
    all: (): readonly StoredObject[] => [...objects.values()],
    replaceAll(next: readonly StoredObject[]) {
      objects = new Map(next.map((object) => [keyOf(object.bucket, object.name), object]))
    },
  }
}

export type Objects = ReturnType<typeof createObjects>

const md5Of = (content: Buffer) => createHash('md5').update(content).digest('base64')

/** An object's metadata as the service answers it; numbers that may be large are texts. */
export function wireObject({ content, descriptions, ...object }: StoredObject) {
  return {
    name: object.name,
    bucket: object.bucket,
    generation: String(object.generation),
    metageneration: String(object.metageneration),
    timeCreated: new Date(object.createdAt).toISOString(),
    updated: new Date(object.updatedAt).toISOString(),
    storageClass: 'STANDARD',
    size: String(content.length),
    md5Hash: md5Of(content),
    contentEncoding: 'identity',
    contentDisposition: `inline; filename*=utf-8''${encodeURIComponent(object.name.split('/').at(-1) ?? '')}`,
    ...descriptions,
    etag: `${object.generation}/${object.metageneration}`,
    downloadTokens: object.downloadTokens.join(','),
  }
}

const text = (stringValue: string): WireValue => ({ stringValue })
const whole = (value: number): WireValue => ({ integerValue: String(value) })
const instant = (ms: number): WireValue => ({ timestampValue: new Date(ms).toISOString() })

/** An object as the rules see it. `size`: what the uploader announces, before the content is there. */
export function rulesResource(object: StoredObject, size = object.content.length): RulesResource {
  return {
    id: object.name.split('/').at(-1) ?? '',
    fields: {
      name: text(object.name),
      bucket: text(object.bucket),
      generation: whole(object.generation),
      metageneration: whole(object.metageneration),
      size: whole(size),
      timeCreated: instant(object.createdAt),
      updated: instant(object.updatedAt),
      md5Hash: text(md5Of(object.content)),
      contentType: text(object.descriptions.contentType ?? DEFAULT_TYPE),
    },
  }
}
