// Bundles each function into one file, because a cold start would have to read 700 files of packages.
import { globSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { build, type Plugin } from 'vite'

const ROOT = join(import.meta.dirname, '..')
const SOURCES = join(ROOT, 'netlify/functions')

/** `netlify.toml` names this folder too. */
export const FUNCTIONS_FOLDER = join(ROOT, '.cache/functions')

export interface BuiltFunction {
  readonly name: string
  readonly file: string
  readonly sources: readonly string[]
}

/** Node compiles a whole file, so unused modules delay each cold start. */
export const LEFT_OUT: readonly (readonly [id: RegExp, code: string])[] = [
  // jsPDF loads these for drawings and HTML, which no receipt has.
  [/^(canvg|dompurify|html2canvas)$/, 'export default null'],
  // With `preferRest`, Firestore's client makes no call by gRPC.
  [
    /^@grpc\/grpc-js$/,
    'module.exports = { Client: class {}, credentials: { createInsecure: () => undefined } }',
  ],
  [/^@grpc\/proto-loader$/, 'module.exports = {}'],
  // Classes of binary messages: over REST, the client reads their descriptions in JSON.
  [/\/protos\/iam_service(\.js)?$/, 'module.exports = {}'],
  [/\/protos\/locations(\.js)?$/, 'module.exports = {}'],
  [/\/protos\/operations(\.js)?$/, 'module.exports = {}'],
  [/\/protos\/protos(\.js)?$/, 'module.exports = {}'],
  // The functions use no pipelines.
  [/\/firestore_v1_proto_api(\.js)?$/, 'module.exports = { google: { firestore: { v1: {} } } }'],
  [/\/firestore_admin_client(\.js)?$/, 'module.exports = {}'],
  // Node has these streams.
  [/^web-streams-polyfill\//, 'module.exports = {}'],
]

const leaveOutUnused: Plugin = {
  name: 'passerelle:leave-out',
  enforce: 'pre',
  resolveId(id) {
    const index = LEFT_OUT.findIndex(([wanted]) => wanted.test(id))
    return index < 0 ? null : `\0left-out:${index}`
  },
  load: (id) => LEFT_OUT[Number(/^\0left-out:(\d+)$/.exec(id)?.[1])]?.[1] ?? null,
}

/** Removes anything else from the folder. */
export async function buildFunctions(folder = FUNCTIONS_FOLDER): Promise<BuiltFunction[]> {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const functions: BuiltFunction[] = []
  for (const source of globSync('*.ts', { cwd: SOURCES, exclude: ['*.test.ts'] }).sort()) {
    const name = basename(source, '.ts')
    const file = join(folder, `${name}.mjs`)
    const { code, sources } = await bundleFunction(name)
    writeFileSync(file, code)
    functions.push({ name, file, sources })
  }
  return functions
}

export async function bundleFunction(name: string): Promise<{ code: string; sources: readonly string[] }> {
  const built = await build({
    configFile: false,
    logLevel: 'error',
    ssr: { noExternal: true },
    plugins: [leaveOutUnused],
    // CommonJS packages expect these names. A declaration would collide with the host's own.
    define: { __dirname: 'import.meta.dirname', __filename: 'import.meta.filename' },
    build: {
      write: false,
      ssr: join(SOURCES, `${name}.ts`),
      // Firestore's packages depend on function names, and stack traces in the log stay readable.
      minify: false,
      rolldownOptions: { output: { comments: false, codeSplitting: false } },
    },
  })
  const chunks = [built].flat().flatMap((result) => ('output' in result ? result.output : []))
  const [chunk] = chunks
  if (chunks.length !== 1 || chunk?.type !== 'chunk')
    throw new Error(`${name} was bundled into more than one file`)
  return { code: chunk.code, sources: chunk.moduleIds.map((id) => relative(ROOT, id)) }
}
