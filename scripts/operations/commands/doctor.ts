// `npm run doctor`: looks at everything that has to be set up, and says what to mend. It changes nothing.
import { chosenSettings, Usage } from '../chosenSettings.ts'
import { diagnose, linesOf } from '../doctor.ts'

try {
  const { variables, site } = await chosenSettings(process.argv.slice(2))
  const findings = await diagnose(variables, { site })
  for (const line of findings.flatMap(linesOf)) console.log(line)
  const count = (verdict: string) => findings.filter((finding) => finding.verdict === verdict).length
  console.log(`\n${count('good')} good, ${count('bad')} wrong, ${count('unknown')} unknown`)
  process.exitCode = count('bad') > 0 ? 1 : 0
} catch (error) {
  if (!(error instanceof Usage)) throw error
  console.error(error.message)
  process.exitCode = 2
}
