// Builds the frame that shows scenes: the app itself, with scripted services.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { lingui } from '@lingui/vite-plugin'
import react from '@vitejs/plugin-react'
import { buildClassicPage } from '../../build/classicPage.ts'
import { buildIfChanged, computeBuildStamp } from '../../build/stamp.ts'
import { createTypographyPlugin } from '../../build/typography.ts'
import { FRAME_FOLDER } from './folder.ts'
import { createScriptedServicesPlugin } from './scriptedServices.ts'

const ROOT = join(import.meta.dirname, '../..')
const SOURCES = ['scenes/**/*', 'statecharts/*']

export function ensureFrameBuilt() {
  buildIfChanged(FRAME_FOLDER, computeBuildStamp(ROOT, process.env, SOURCES), () => {
    // In its own process: a build sets NODE_ENV, which the tests' workers would inherit.
    if (spawnSync(process.execPath, [import.meta.filename], { stdio: 'inherit', cwd: ROOT }).status !== 0)
      throw new Error('The frame of the scenes could not be built.')
  })
}

if (import.meta.main)
  await buildClassicPage(FRAME_FOLDER, 'scenes/frame.html', 'scene', {
    mode: 'sandbox',
    plugins: [
      react(),
      lingui({ macroTransform: true }),
      createTypographyPlugin(),
      createScriptedServicesPlugin(),
    ],
    // The frame's own URL differs from the scene's, and may be a `file:` URL.
    define: {
      'location.pathname': 'sceneAddress.pathname',
      'location.search': 'sceneAddress.search',
      'location.origin': 'sceneAddress.origin',
    },
    build: {
      cssCodeSplit: false,
      assetsInlineLimit: Number.POSITIVE_INFINITY,
      rolldownOptions: {
        // jsPDF loads these for drawings and HTML, which no receipt has.
        external: ['canvg', 'dompurify', 'html2canvas'],
        output: { globals: { canvg: 'null', dompurify: 'null', html2canvas: 'null' } },
        checks: { emptyImportMeta: false },
      },
    },
  })
