// `npm run storyboard`: reads the texts of every scene, and writes a folder that works without a network, on
// any host or as a `file:` URL. `-- --page` keeps the last texts.
import { cpSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import react from '@vitejs/plugin-react'
import { buildClassicPage } from '../../build/classicPage.ts'
import { FRAME_FOLDER } from '../../scenes/build/folder.ts'
import { ensureFrameBuilt } from '../../scenes/build/frame.ts'
import { TEXTS_FILE } from './files.ts'
import { createStoryboardPlugin } from './plugin.ts'
import { collectTexts } from './texts.ts'

const ROOT = join(import.meta.dirname, '../..')

const { values } = parseArgs({
  options: {
    page: { type: 'boolean', default: false },
    /** An existing storyboard there is replaced. */
    into: { type: 'string', default: join(ROOT, 'storyboard') },
  },
})
const folder = resolve(values.into)
if (!isReplaceable(folder))
  throw new Error(`${folder} contains other files than a storyboard. Name another folder.`)
ensureFrameBuilt()
if (!values.page) {
  mkdirSync(dirname(TEXTS_FILE), { recursive: true })
  console.log('Reading the scenes…')
  await collectTexts()
}
await buildPage()
console.log(
  `The storyboard is in ${folder}: open its index.html, or upload the folder to any host of static files.`,
)

// No other files may be deleted.
function isReplaceable(path: string): boolean {
  return !existsSync(path) || readdirSync(path).length === 0 || existsSync(join(path, 'storyboard.js'))
}

/** The old page stays if the build fails. */
async function buildPage() {
  const making = `${folder}.making`
  rmSync(making, { recursive: true, force: true })
  await buildClassicPage(making, 'storyboard.html', 'storyboard', {
    plugins: [react(), createStoryboardPlugin()],
  })
  renameSync(join(making, 'storyboard.html'), join(making, 'index.html'))
  for (const file of readdirSync(FRAME_FOLDER).filter((name) => !name.startsWith('.')))
    cpSync(join(FRAME_FOLDER, file), join(making, file))
  rmSync(folder, { recursive: true, force: true })
  renameSync(making, folder)
}
