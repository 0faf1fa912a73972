// `npm run test:money -- --runs 20000`: runs schedules/schedules.test.ts on all cores. A failure prints
// `--seed` and `--path`, which repeat its schedules.
import { spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '2000' },
    seed: { type: 'string', default: String(randomInt(2 ** 30)) },
    path: { type: 'string' },
  },
})
const shards = values.path ? 1 : availableParallelism()
const codes = await Promise.all(
  Array.from({ length: shards }, (_, shard) =>
    run({
      MONEY_RUNS: String(Math.ceil(Number(values.runs) / shards)),
      MONEY_SEED: String(Number(values.seed) + shard),
      ...(values.path && { MONEY_PATH: values.path }),
    }),
  ),
)
process.exit(Math.max(...codes))

function run(env: Record<string, string>): Promise<number> {
  const child = spawn(
    'node_modules/.bin/vitest',
    ['run', 'schedules/schedules.test.ts', '-t', 'any schedule'],
    {
      stdio: 'inherit',
      env: { ...process.env, ...env },
    },
  )
  return new Promise((resolve) => child.once('exit', (code) => resolve(code ?? 1)))
}
