import { ensureBuilt } from '../scripts/build/build.ts'
import { ensureFrameBuilt } from '../scripts/storyboard/frame.ts'

/**
 * Builds once, before the workers start their servers in parallel. Scenes are compared with a build
 * that reports its states.
 */
export default function buildApp() {
  ensureBuilt('sandbox')
  ensureBuilt('inspected')
  ensureFrameBuilt()
}
