import { ensureFrameBuilt } from '../scenes/build/frame.ts'
import { ensureBuilt } from '../scripts/build/build.ts'

/** Builds before the workers start in parallel. Scenes are compared with a build that reports its states. */
export default function buildApp() {
  ensureBuilt('sandbox')
  ensureBuilt('inspected')
  ensureFrameBuilt()
}
