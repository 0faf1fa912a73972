// `npm run mistakes`: puts one mistake after the other into a copy of the project, and fails unless the tests that are named beside it
// see each. `npm run test:money:bugs` does so with those of the functions. Words of a name choose some: npm run mistakes -- popup
// `npm run test:money:bugs -- --search` draws schedules until one catches the mistake, for netlify/testing/caught.ts.
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { checkSeers, deathsBy, filesWith, scratchCopy } from './mistake.ts'
import { MONEY_MISTAKES, toAnySchedule } from './moneyMutations.ts'
import { SCREEN_MISTAKES } from './screenMistakes.ts'

const { values, positionals } = parseArgs({
  options: { money: { type: 'boolean' }, search: { type: 'boolean' } },
  allowPositionals: true,
})
const words = positionals.join(' ')
const ofMoney = values.search ? MONEY_MISTAKES.map(toAnySchedule) : MONEY_MISTAKES
const mistakes = values.money ? ofMoney : SCREEN_MISTAKES
const chosen = mistakes.filter(({ name }) => name.includes(words))
if (chosen.length === 0) throw new Error(`No mistake is called '${words}'`)

for (const mistake of mistakes) filesWith(mistake)
const folder = scratchCopy()
const found = join(folder, 'schedule.json')
if (values.search) process.env.MONEY_RECORD = found
// Those of money are part of `npm test`.
if (!values.money) checkSeers(chosen, folder)
const unseen = chosen.filter((mistake) => {
  console.log(`\n── ${mistake.name}`)
  const deaths = deathsBy(mistake, folder)
  for (const title of deaths) console.log(`   seen by: ${title}`)
  if (existsSync(found)) console.log(`  ${JSON.stringify(mistake.name)}: ${readFileSync(found, 'utf8')},`)
  rmSync(found, { force: true })
  return deaths.length === 0
})
rmSync(folder, { recursive: true })

for (const { name } of unseen) console.log(`\nNobody saw: ${name}`)
console.log(`\n${chosen.length - unseen.length} of ${chosen.length} mistakes were seen`)
process.exit(unseen.length > 0 ? 1 : 0)
