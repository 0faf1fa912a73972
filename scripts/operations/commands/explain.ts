// `npm run explain -- pi_…`: what became of one payment, and where its money is. It only reads.
import { createContext } from '../../../netlify/server/platform/context.ts'
import { readSettings, SettingsError } from '../../../netlify/server/platform/settings.ts'
import { chosenSettings, Usage } from '../chosenSettings.ts'
import { failure, linesOf } from '../doctor.ts'
import { explain } from '../explain.ts'

try {
  const { variables, rest } = await chosenSettings(process.argv.slice(2))
  const [id = ''] = rest
  if (!/^(pi|sub)_\w+$/.test(id))
    throw new Usage('Say which payment: npm run explain -- pi_… (or sub_… for a plan).')
  const context = createContext(readSettings(variables))
  const lines = await explain(context, id).catch((error: unknown) => {
    process.exitCode = 1
    return linesOf(failure(id, error))
  })
  for (const line of lines) console.log(line)
  await context.db.terminate()
} catch (error) {
  if (!(error instanceof Usage || error instanceof SettingsError)) throw error
  console.error(error.message)
  process.exitCode = 2
}
