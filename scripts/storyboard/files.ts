import { join } from 'node:path'

/** Tests set their own folder. */
const STORYBOARD_FOLDER = process.env.STORYBOARD_KEPT ?? join(import.meta.dirname, '../../.cache/storyboard')
export const TEXTS_FILE = join(STORYBOARD_FOLDER, 'texts.json')
