import { join } from 'node:path'

/** Tests set their own folder. */
const STORYBOARD_FOLDER = process.env.STORYBOARD_KEPT ?? join(import.meta.dirname, '../../.cache/storyboard')
/** The frame that shows the scenes. Tests open it too. */
export const FRAME_FOLDER = join(import.meta.dirname, '../../.cache/scenes')
/** The texts that users read in each scene. */
export const TEXTS_FILE = join(STORYBOARD_FOLDER, 'texts.json')
/** Hashes of the elements and styles in each scene. */
export const LOOKS_FILE = join(STORYBOARD_FOLDER, 'looks.json')
/** Report of the tests whose walks can be replayed. */
export const WALKS_FILE = join(STORYBOARD_FOLDER, 'walks.json')
