import { ensureBuilt } from '../scripts/build/build.ts'

/** Builds once, before the workers start their servers side by side. */
export default async function buildApp() {
  await ensureBuilt('sandbox')
}
