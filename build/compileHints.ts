import type { Plugin } from 'vite'

/** V8 reads it at the very start of a file only. */
export const COMPILE_HINT = '//# allFunctionsCalledOnLoad\n'

/** The home screen calls most of their functions before it responds to a tap. */
const CHUNKS = new Set(['first', 'client', 'shared', 'schemas', 'Home', 'database', 'recipientParts'])

/** Chromium compiles these chunks while they load, instead of each function at its first call. */
export const createCompileHintsPlugin = (): Plugin => ({
  name: 'passerelle:compile-hints',
  apply: 'build',
  generateBundle: {
    // Vite inserts a line at the start.
    order: 'post',
    handler(_, bundle) {
      for (const file of Object.values(bundle))
        if (file.type === 'chunk' && !file.facadeModuleId && CHUNKS.has(file.name))
          file.code = COMPILE_HINT + file.code
    },
  },
})
