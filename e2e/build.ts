import { ensureBuilt } from '../build/build.ts'
import { ensureFrameBuilt } from '../scenes/build/frame.ts'

/** Builds before the workers start in parallel. Scenes are compared with a build that reports its states. */
export default function buildApp() {
  ensureBuilt('sandbox')
  ensureBuilt('inspected')
  ensureFrameBuilt()
}
