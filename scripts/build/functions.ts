// Puts each function and all that it imports into one file, for the host: left to itself it lays some 1,400 files of
// packages beside each one, and a function that starts cold has to read half of them.
import { globSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { build } from 'vite'

const ROOT = join(import.meta.dirname, '../..')
const SOURCES = join(ROOT, 'netlify/functions')

/** Where `netlify.toml` looks for them. */
const FUNCTIONS_FOLDER = join(ROOT, '.cache/functions')

export interface BuiltFunction {
  readonly name: string
  readonly file: string
  /** The files that it was made of, from the root of the repository. */
  readonly sources: readonly string[]
}

/** Writes `{name}.mjs` for each function into the folder, and nothing else. */
export async function buildFunctions(folder = FUNCTIONS_FOLDER): Promise<BuiltFunction[]> {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const made: BuiltFunction[] = []
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
    const name = basename(source, '.ts')
    const file = join(folder, `${name}.mjs`)
    writeFileSync(file, chunk.code)
    made.push({ name, file, sources: chunk.moduleIds.map((id) => relative(ROOT, id)) })
  }
  return made
}
