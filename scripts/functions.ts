// Puts each function and all that it imports into one file, for the host: left to itself it lays some 1,400 files of
// packages beside each one, and a function that starts cold has to read half of them.
import { globSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { build } from 'vite'

const SOURCES = join(import.meta.dirname, '../netlify/functions')

/** Where `netlify.toml` looks for them. */
export const FUNCTIONS_FOLDER = join(import.meta.dirname, '../.cache/functions')

/** Writes `{name}.mjs` for each function into the folder, and nothing else. Answers the names. */
export async function buildFunctions(folder = FUNCTIONS_FOLDER): Promise<string[]> {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const sources = globSync('*.ts', { cwd: SOURCES, exclude: ['*.test.ts'] }).sort()
  for (const source of sources) {
    const built = await build({
      configFile: false,
      logLevel: 'error',
      ssr: { noExternal: true },
      // What packages that are not modules expect to find. A declaration would collide with the host's own.
      define: { __dirname: 'import.meta.dirname', __filename: 'import.meta.filename' },
      build: {
        write: false,
        ssr: join(SOURCES, source),
        // Firestore's packages go by the names of their functions, and so does whoever reads a trace in the log.
        minify: false,
        rolldownOptions: { output: { comments: false, codeSplitting: false } },
      },
    })
    const chunks = [built].flat().flatMap((result) => ('output' in result ? result.output : []))
    const [chunk] = chunks
    if (chunks.length !== 1 || chunk?.type !== 'chunk') throw new Error(`${source} is more than one file`)
    writeFileSync(join(folder, `${basename(source, '.ts')}.mjs`), chunk.code)
  }
  return sources.map((source) => basename(source, '.ts'))
}
