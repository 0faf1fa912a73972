import { ensureBuilt } from '../scripts/build/build.ts'

/** Builds once, before the workers start their servers side by side. The screens are looked at in a build that tells its states. */
export default async function buildApp() {
  ensureBuilt('sandbox')
  ensureBuilt('told')
}
