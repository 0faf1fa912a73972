import { join } from 'node:path'

/** The tests name a folder of their own. */
const KEPT = process.env.STORYBOARD_KEPT ?? join(import.meta.dirname, '../../.cache/storyboard')
/** Where the command keeps the pictures that it takes. */
export const PICTURES = join(KEPT, 'pictures')
/** The report of the tests whose walks can be played. */
export const WALKS = join(KEPT, 'walks.json')
