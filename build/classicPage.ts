import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { build, type InlineConfig, mergeConfig } from 'vite'

const ROOT = join(import.meta.dirname, '..')

/**
 * Bundles one classic script, because browsers don't load modules from `file:` URLs. `input`: path from the
 * project root; `name`: file name of the script, which contains the styles unless `cssCodeSplit` is false.
 */
export async function buildClassicPage(folder: string, input: string, name: string, config: InlineConfig) {
  const common: InlineConfig = {
    root: ROOT,
    configFile: false,
    logLevel: 'warn',
    base: './',
    publicDir: false,
    build: {
      outDir: folder,
      emptyOutDir: true,
      modulePreload: false,
      chunkSizeWarningLimit: 3_000,
      reportCompressedSize: false,
      rolldownOptions: {
        input,
        output: {
          format: 'iife',
          codeSplitting: false,
          entryFileNames: `${name}.js`,
          assetFileNames: `${name}[extname]`,
        },
      },
    },
  }
  await build(mergeConfig(common, config))
  const page = join(folder, basename(input))
  if (dirname(input) !== '.') {
    renameSync(join(folder, input), page)
    rmSync(join(folder, dirname(input)), { recursive: true })
  }
  const html = readFileSync(page, 'utf8')
    .replace('type="module" crossorigin', 'defer')
    .replaceAll(' crossorigin', '')
    .replaceAll('"../', '"./')
    .replace(/\s*<link rel="icon"[^>]*>/, '')
  writeFileSync(page, html)
}
