import { join } from 'node:path'

/** Holds the built frame. */
export const FRAME_FOLDER = join(import.meta.dirname, '../../.cache/scenes')
