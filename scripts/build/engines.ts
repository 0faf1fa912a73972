/**
 * The oldest supported engines. The build lowers syntax and styles to them, `scripts/checks/engines.ts`
 * rejects newer built-ins in the built files, and README.md lists them.
 */
export const ENGINES = { chrome: '107', firefox: '115', safari: '16.0' } as const

/** The oldest supported engines in the notation of Vite and esbuild. */
export const BUILD_TARGET = Object.entries(ENGINES).map(([engine, version]) => `${engine}${version}`)
