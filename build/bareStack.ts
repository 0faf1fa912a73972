// Builds what start and benchmarks are compared with: React, Mantine and XState showing one card.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { build as viteBuild } from 'vite'
import { generateSW } from 'workbox-build'
import { compressTextFiles } from './build.ts'
import { buildIfChanged, computeBuildStamp } from './stamp.ts'

const ROOT = join(import.meta.dirname, '..')
const SOURCES = 'build/bare-stack'

export const BARE_STACK = '.cache/bare-stack'

export function ensureBareStackBuilt() {
  const folder = join(ROOT, BARE_STACK)
  buildIfChanged(folder, computeBuildStamp(ROOT, process.env, [`${SOURCES}/*`]), () => {
    // In its own process: a build sets NODE_ENV.
    if (spawnSync(process.execPath, [import.meta.filename], { stdio: 'inherit', cwd: ROOT }).status !== 0)
      throw new Error('The bare stack could not be built.')
  })
}

if (import.meta.main) {
  const folder = join(ROOT, BARE_STACK)
  await viteBuild({
    configFile: false,
    root: join(ROOT, SOURCES),
    // Avoids a warning for each of Mantine's files, which are marked for React Server Components.
    logLevel: 'error',
    build: { target: 'es2022', outDir: folder, emptyOutDir: true },
  })
  // Only the benchmark registers it.
  await generateSW({
    globDirectory: folder,
    globPatterns: ['**/*.{html,js,css}'],
    swDest: `${folder}/sw.js`,
    navigateFallback: 'index.html',
    inlineWorkboxRuntime: true,
    clientsClaim: true,
    mode: 'production',
  })
  await compressTextFiles(folder)
}
