// `npm run check`: what a change needs before a commit. What is read goes over the whole project; of the unit tests those run
// that a file changed since the last commit can reach. `npm test` is the proof, this is the first look.
import { type Check, heading, READING, run } from './commands.ts'

const startedAt = performance.now()
const CHANGED = ['vitest', 'run', '--changed', '--passWithNoTests'] as const
const TESTS: readonly Check[] = [
  ['Unit tests of what has changed', CHANGED],
  ['Tests of the emulators that a change can affect', [...CHANGED, '--root', 'emulators']],
]

const failed: string[] = []
for (const [title, command] of [...READING, ...TESTS]) {
  heading(title)
  if (!(await run(command))) failed.push(title)
}
const seconds = Math.round((performance.now() - startedAt) / 1000)
console.log(failed.length > 0 ? `\nFailed: ${failed.join(', ')}` : `\nGood, in ${seconds} s`)
process.exit(failed.length > 0 ? 1 : 0)
