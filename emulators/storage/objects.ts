import { createHash, randomUUID } from 'node:crypto'
import type { Clock } from '../emulator.ts'
import type { RulesResource } from '../rules/request.ts'
import type { WireValue } from '../wire.ts'

export interface ObjectMetadata {
  readonly contentType?: string
}

export interface ObjectPath {
  readonly bucket: string
  readonly name: string
}

export interface StoredObject extends ObjectPath {
  readonly content: Buffer
  readonly descriptions: ObjectMetadata
  readonly generation: number
  readonly metageneration: number
  /** UTC milliseconds. */
  readonly createdAt: number
  readonly updatedAt: number
  /** Each token allows a download. */
  readonly downloadTokens: readonly string[]
}

const DEFAULT_TYPE = 'application/octet-stream'

/** A bucket exists once it is used. */
export function createObjectStore(clock: Clock) {
  let objects = new Map<string, StoredObject>()
  let lastGeneration = 0
  const buildKey = ({ bucket, name }: ObjectPath) => `${bucket}/${name}`
  const nextGeneration = () => {
    // As in the real service, a generation is a time in microseconds. It must be unique.
    lastGeneration = Math.max(lastGeneration + 1, Math.floor(clock.now()) * 1000)
    return lastGeneration
  }

  return {
    get: (path: ObjectPath): StoredObject | null => objects.get(buildKey(path)) ?? null,

    /** The object as it would be stored, so that the rules can check it. */
    draft(bucket: string, name: string, content: Buffer, descriptions: ObjectMetadata): StoredObject {
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

    withoutDownloadTokens: (object: StoredObject): StoredObject => ({
      ...object,
      downloadTokens: [],
      metageneration: object.metageneration + 1,
      updatedAt: Math.floor(clock.now()),
    }),

    put(object: StoredObject) {
      objects.set(buildKey(object), object)
    },
    remove(path: ObjectPath) {
      objects.delete(buildKey(path))
    },
    all: (): readonly StoredObject[] => [...objects.values()],
    replaceAll(next: readonly StoredObject[]) {
      objects = new Map(next.map((object) => [buildKey(object), object]))
    },
  }
}

export type ObjectStore = ReturnType<typeof createObjectStore>

const computeMd5 = (content: Buffer) => createHash('md5').update(content).digest('base64')

/** Large numbers are strings. */
export function toWireObject({ content, descriptions, ...object }: StoredObject) {
  return {
    name: object.name,
    bucket: object.bucket,
    generation: String(object.generation),
    metageneration: String(object.metageneration),
    timeCreated: new Date(object.createdAt).toISOString(),
    updated: new Date(object.updatedAt).toISOString(),
    storageClass: 'STANDARD',
    size: String(content.length),
    md5Hash: computeMd5(content),
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

/** `size`: announced, before the content arrives. */
export function toRulesResource(object: StoredObject, size = object.content.length): RulesResource {
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
      md5Hash: text(computeMd5(object.content)),
      contentType: text(object.descriptions.contentType ?? DEFAULT_TYPE),
    },
  }
}
