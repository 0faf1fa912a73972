import { spawn, spawnSync } from 'node:child_process'

export const STATIC_CHECKS = {
  lint: 'biome check --error-on-warnings . && node scripts/checks/wording.ts',
  types: 'tsc --noEmit && tsc --noEmit -p emulators',
  unused: 'knip --no-progress',
  imports: 'node scripts/checks/imports.ts',
  messages: 'node scripts/checks/messages.ts',
  specification: 'node scripts/checks/specification.ts',
} as const

type Environment = Readonly<Record<string, string>>

/** Resolves to whether the command succeeded. `signal` ends it and all that it started. */
export function runShellCommand(
  command: string,
  env: Environment = {},
  signal?: AbortSignal,
): Promise<boolean> {
  const child = spawn(command, { shell: true, stdio: 'inherit', env: { ...process.env, ...env } })
  signal?.addEventListener('abort', () => child.pid && endTree(child.pid))
  return new Promise((resolve) => child.once('exit', (code) => resolve(code === 0)))
}

// A browser leads a process group of its own.
function endTree(pid: number) {
  const { stdout } = spawnSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' })
  const rows = [...stdout.matchAll(/(\d+) +(\d+)/g)].map(([, id, parent]) => [Number(id), Number(parent)])
  const tree = [pid]
  for (const member of tree) for (const [id = 0, parent] of rows) if (parent === member) tree.push(id)
  for (const member of tree)
    try {
      process.kill(member, 'SIGKILL')
    } catch {
      // It has ended.
    }
}

/** Shows the output at the end, so that two commands don't mix theirs. */
export function runQuietly(title: string, command: string): Promise<boolean> {
  const child = spawn(command, { shell: true, stdio: ['ignore', 'pipe', 'pipe'] })
  const output: string[] = []
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => output.push(text))
  return new Promise((resolve) =>
    child.once('close', (code) => {
      printHeading(title)
      process.stdout.write(output.join(''))
      resolve(code === 0)
    }),
  )
}

export function printHeading(title: string) {
  console.log(`\n── ${title}`)
}
