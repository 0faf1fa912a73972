// `npm run mistakes`: puts one mistake after the other into a copy of the project, and fails unless the tests that are named beside it
// see each. `npm run test:money:bugs` does so with those of the functions. Words of a name choose some: npm run mistakes -- popup
import { rmSync } from 'node:fs'
import { checkSeers, deathsBy, filesWith, scratchCopy } from './mistake.ts'
import { MONEY_MISTAKES } from './moneyBugs.ts'
import { SCREEN_MISTAKES } from './screenMistakes.ts'

const args = process.argv.slice(2)
const mistakes = args.includes('--money') ? MONEY_MISTAKES : SCREEN_MISTAKES
const words = args.filter((word) => word !== '--money').join(' ')
const chosen = mistakes.filter(({ name }) => name.includes(words))
if (chosen.length === 0) throw new Error(`No mistake is called '${words}'`)

for (const mistake of mistakes) filesWith(mistake)
const folder = scratchCopy()
// That of money takes minutes, and is part of `npm test`.
if (mistakes !== MONEY_MISTAKES) checkSeers(chosen, folder)
const unseen = chosen.filter((mistake) => {
  console.log(`\n── ${mistake.name}`)
  const deaths = deathsBy(mistake, folder)
  for (const title of deaths) console.log(`   seen by: ${title}`)
  return deaths.length === 0
})
rmSync(folder, { recursive: true })

for (const { name } of unseen) console.log(`\nNobody saw: ${name}`)
console.log(`\n${chosen.length - unseen.length} of ${chosen.length} mistakes were seen`)
process.exit(unseen.length > 0 ? 1 : 0)
