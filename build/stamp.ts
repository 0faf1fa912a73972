import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const INPUTS = [
  '*.html',
  '.env*',
  '*.config.ts',
  'package-lock.json',
  'tsconfig.json',
  '{domain,legal,machines,print,public,src}/**/*',
  'build/*.ts',
]

/** Covers the files below `root`, those of `more`, and the app's settings. */
export function computeBuildStamp(
  root: string,
  env: Readonly<Record<string, string | undefined>>,
  more: readonly string[] = [],
): string {
  const hash = createHash('sha256')
  for (const path of [...INPUTS, ...more].flatMap((pattern) => globSync(pattern, { cwd: root })).sort()) {
    if (/\.test\.tsx?$/.test(path)) continue
    try {
      hash.update(path).update(readFileSync(join(root, path)))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EISDIR') throw error
    }
  }
  const settings = Object.entries(env).filter(([name]) => name.startsWith('VITE_'))
  return `${hash.digest('hex')} ${JSON.stringify(settings.sort())}`
}

export function buildIfChanged(folder: string, inputs: string, build: () => void) {
  const stamp = join(folder, '.built-from')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === inputs) return
  build()
  writeFileSync(stamp, inputs)
}
