// `npm run test:money:bugs`: puts one mistake after the other into the functions, and fails unless the property test of
// netlify/money.test.ts catches each of them.
import { spawnSync } from 'node:child_process'
import { BUGS, checkBugs } from './moneyBugs.ts'

checkBugs()
const [only] = process.argv.slice(2)
const missed = Object.keys(BUGS)
  .filter((name) => !only || name.includes(only))
  .filter((name) => !isCaught(name))
for (const name of missed) console.log(`\nNot caught: ${name}`)
process.exit(missed.length > 0 ? 1 : 0)

function isCaught(name: string): boolean {
  console.log(`\n── ${name}`)
  const { stdout, stderr } = spawnSync(
    'node_modules/.bin/vitest',
    ['run', '--config', 'scripts/moneyBugs.config.ts'],
    { encoding: 'utf8', env: { ...process.env, MONEY_BUG: name, MONEY_RUNS: '300', NO_COLOR: '1' } },
  )
  const [, told] = /Error: (Caught after [\s\S]*?)\n(?= ❯|⎯|\n)/.exec(`${stdout}\n${stderr}`) ?? []
  if (!told) console.log(`${stdout}\n${stderr}`)
  else console.log(told)
  return told !== undefined
}
