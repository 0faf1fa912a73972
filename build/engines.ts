import { ENGINES } from '../domain/errors/engines.ts'

/** In the notation of Vite and esbuild. `scripts/checks/engines.ts` rejects newer built-ins. */
export const BUILD_TARGET = Object.entries(ENGINES).map(([engine, version]) => `${engine}${version}`)
