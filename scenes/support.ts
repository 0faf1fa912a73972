import { HOUR } from '../domain/common/duration.ts'
import { AWA } from './fixtures.ts'
import { IN_APP_STATES as at, type Scene } from './scene.ts'

const dialog: Omit<Scene, 'name'> = { at, account: AWA, act: ({ press }) => press('Nous contacter') }

export const SUPPORT_SCENES: readonly Scene[] = [
  { ...dialog, name: 'contact' },
  // The server's clock shows the evening, when the support desk is closed.
  { ...dialog, name: 'contact-closed', device: { serverAhead: 9 * HOUR } },
]
