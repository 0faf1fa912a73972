import { randomUUID } from 'node:crypto'
import type { Identity } from '../emulator.ts'
import type { Descriptions } from './objects.ts'

/** Every piece but the last has to be a multiple of it, in bytes. */
export const GRANULARITY = 256 * 1024

/** An upload in pieces, from its announcement to its last piece. */
export interface Upload {
  readonly id: string
  readonly bucket: string
  readonly name: string
  readonly descriptions: Descriptions
  /** Who announced it. Whoever knows the id goes on in their name. */
  readonly identity: Identity
  received: Buffer
  status: 'active' | 'final' | 'cancelled'
}

export function createUploads() {
  const uploads = new Map<string, Upload>()
  return {
    begin(about: Pick<Upload, 'bucket' | 'name' | 'descriptions' | 'identity'>): Upload {
      const upload: Upload = { ...about, id: randomUUID(), received: Buffer.alloc(0), status: 'active' }
      uploads.set(upload.id, upload)
      return upload
    },
    get: (id: string): Upload | null => uploads.get(id) ?? null,
    reset: () => uploads.clear(),
  }
}

export type Uploads = ReturnType<typeof createUploads>

/** What is wrong with a piece; null when it fits. */
export function pieceProblem({ received }: Upload, piece: Buffer, offset: number, isLast: boolean) {
  if (offset !== received.length) return `The offset is ${offset}, but ${received.length} bytes are here.`
  if (!isLast && piece.length % GRANULARITY !== 0)
    return `A piece must be a multiple of ${GRANULARITY} bytes.`
  return null
}
