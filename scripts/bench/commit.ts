import { execFileSync } from 'node:child_process'
import { rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '../..')

/** Builds the app of a commit with the packages of this folder. Returns the app's folder. */
export function buildCommit(commit: string): string {
  const folder = join(ROOT, '.cache/against')
  const run = (program: string, args: string[], cwd: string) =>
    execFileSync(program, args, { cwd, stdio: 'inherit' })
  rmSync(folder, { recursive: true, force: true })
  run('git', ['worktree', 'prune'], ROOT)
  run('git', ['worktree', 'add', '--quiet', '--detach', folder, commit], ROOT)
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  run(process.execPath, ['build/build.ts', '--mode', 'sandbox'], folder)
  return join(folder, '.cache/app')
}
