// `npm run payments -- show`: whether people can pay, and what an operator can do about it.
import { createContext } from '../../../netlify/server/platform/context.ts'
import { readSettings, SettingsError } from '../../../netlify/server/platform/settings.ts'
import { chosenSettings, Usage } from '../chosenSettings.ts'
import { failure, linesOf } from '../doctor.ts'
import { payments } from '../payments.ts'

try {
  const { variables, rest } = await chosenSettings(process.argv.slice(2))
  const context = createContext(readSettings(variables), { log: () => {} })
  try {
    for (const line of await payments(context, ...rest)) console.log(line)
  } catch (error) {
    if (error instanceof Usage) throw error
    for (const line of linesOf(failure('The payments', error))) console.log(line)
    process.exitCode = 1
  } finally {
    await Promise.all(context.beside)
    await context.db.terminate()
  }
} catch (error) {
  if (!(error instanceof Usage || error instanceof SettingsError)) throw error
  console.error(error.message)
  process.exitCode = 2
}
