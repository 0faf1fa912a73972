// `npm run storyboard`: walks the machines, photographs every screen, and makes a folder that opens without a network, on any host or
// from a disk. `-- NAME` takes only the pictures of the screens whose name holds it; `-- --page` makes the page of what there is already.
import { spawnSync } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import react from '@vitejs/plugin-react'
import { build } from 'vite'
import { storyboardData } from './collect.ts'
import { PICTURES, WALKS } from './kept.ts'
import { storyboard } from './plugin.ts'
import { takePictures } from './takePictures.ts'

const ROOT = join(import.meta.dirname, '../..')

const { values, positionals } = parseArgs({
  options: {
    page: { type: 'boolean', default: false },
    /** Where the folder is to be. A storyboard that stands there goes. */
    into: { type: 'string', default: join(ROOT, 'storyboard') },
  },
  allowPositionals: true,
})
const folder = resolve(values.into)
if (!isFree(folder)) throw new Error(`${folder} holds something else than a storyboard: name another folder.`)
if (!values.page) {
  walkMachines()
  await takePictures(positionals[0] ?? '')
}
await makePage()
console.log(`The storyboard is in ${folder}: open its index.html, or put the folder on any host.`)

function walkMachines() {
  console.log('Walking the machines…')
  const report = ['--reporter=json', `--outputFile.json=${WALKS}`]
  const { status } = spawnSync('vitest', ['run', 'machines', ...report], { stdio: 'inherit', cwd: ROOT })
  if (status !== 0) throw new Error('A test of the machines fails: `npm run unit -- machines` says which.')
}

/** Nothing of anybody's goes when somebody names the wrong folder. */
function isFree(path: string): boolean {
  return !existsSync(path) || readdirSync(path).length === 0 || existsSync(join(path, 'storyboard.js'))
}

/** Made beside the old one, which stays when this fails. */
async function makePage() {
  const making = `${folder}.making`
  rmSync(making, { recursive: true, force: true })
  await build({
    root: ROOT,
    configFile: false,
    logLevel: 'warn',
    base: './',
    publicDir: false,
    plugins: [react(), storyboard('pictures/')],
    build: {
      outDir: making,
      modulePreload: false,
      chunkSizeWarningLimit: 6_000,
      rolldownOptions: {
        input: 'storyboard.html',
        // From a disk a browser runs no modules. The styles are in the script then.
        output: { format: 'iife', entryFileNames: 'storyboard.js' },
      },
    },
  })
  const page = join(making, 'index.html')
  renameSync(join(making, 'storyboard.html'), page)
  const html = readFileSync(page, 'utf8')
    .replace('type="module" crossorigin', 'defer')
    .replace(/\s*<link rel="icon"[^>]*>/, '')
  writeFileSync(page, html)
  mkdirSync(join(making, 'pictures'))
  for (const file of storyboardData().pictures)
    copyFileSync(join(PICTURES, file), join(making, 'pictures', file))
  rmSync(folder, { recursive: true, force: true })
  renameSync(making, folder)
}
