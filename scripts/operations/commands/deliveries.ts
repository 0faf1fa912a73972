// `npm run deliveries -- list`: the transfers that people pay out, and what an operator says of them.
import { writeFileSync } from 'node:fs'
import { createContext } from '../../../netlify/server/platform/context.ts'
import { readSettings, SettingsError } from '../../../netlify/server/platform/settings.ts'
import { chosenSettings, Usage } from '../chosenSettings.ts'
import { deliveries, OPTIONS } from '../deliveries.ts'
import { failure, linesOf } from '../doctor.ts'

try {
  const { variables, rest, said } = await chosenSettings(process.argv.slice(2), OPTIONS)
  const context = createContext(readSettings(variables), { log: () => {} })
  try {
    const { lines, file } = await deliveries(context, rest, said)
    // Numbers of people stand in it. Nothing that is there is overwritten.
    if (file !== null && said.export) writeFileSync(said.export, file, { flag: 'wx', mode: 0o600 })
    for (const line of lines) console.log(line)
  } catch (error) {
    if (error instanceof Usage) throw error
    for (const line of linesOf(failure('The deliveries', error))) console.log(line)
    process.exitCode = 1
  } finally {
    await context.db.terminate()
  }
} catch (error) {
  if (!(error instanceof Usage || error instanceof SettingsError)) throw error
  console.error(error.message)
  process.exitCode = 2
}
