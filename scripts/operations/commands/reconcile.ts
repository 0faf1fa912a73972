// `npm run reconcile -- 2026-11-20`: what cards paid on a day and where that money is. It only reads.
import { createContext } from '../../../netlify/server/platform/context.ts'
import { readSettings, SettingsError } from '../../../netlify/server/platform/settings.ts'
import { chosenSettings, Usage } from '../chosenSettings.ts'
import { failure, linesOf } from '../doctor.ts'
import { reconcile } from '../reconcile.ts'

try {
  const { variables, rest } = await chosenSettings(process.argv.slice(2))
  const context = createContext(readSettings(variables), { log: () => {} })
  try {
    const { lines, isEven } = await reconcile(context, rest[0])
    for (const line of lines) console.log(line)
    if (!isEven) process.exitCode = 1
  } catch (error) {
    if (error instanceof Usage) throw error
    for (const line of linesOf(failure('The books', error))) console.log(line)
    process.exitCode = 1
  } finally {
    await context.db.terminate()
  }
} catch (error) {
  if (!(error instanceof Usage || error instanceof SettingsError)) throw error
  console.error(error.message)
  process.exitCode = 2
}
