import { ENGINES } from '../../domain/errors/engines.ts'

/**
 * The oldest supported engines in the notation of Vite and esbuild. The build lowers syntax and styles to
 * them, and `scripts/checks/engines.ts` rejects newer built-ins in the built files.
 */
export const BUILD_TARGET = Object.entries(ENGINES).map(([engine, version]) => `${engine}${version}`)
