// `npm run people -- stop|show|resume <uid>`: pauses paying for a person, lets them go on, or says what pauses it.
import { createContext } from '../../../netlify/server/platform/context.ts'
import { readSettings, SettingsError } from '../../../netlify/server/platform/settings.ts'
import { chosenSettings, Usage } from '../chosenSettings.ts'
import { failure, linesOf } from '../doctor.ts'
import { ORDERS, people } from '../people.ts'

try {
  const { variables, rest } = await chosenSettings(process.argv.slice(2))
  const [asked = '', uid = ''] = rest
  const order = ORDERS.find((known) => known === asked)
  if (!order || !/^[^/]{1,128}$/.test(uid))
    throw new Usage('Say what and who: npm run people -- show|stop|resume <uid>.')
  const context = createContext(readSettings(variables))
  const lines = await people(context, order, uid).catch((error: unknown) => {
    process.exitCode = 1
    return linesOf(failure(uid, error))
  })
  for (const line of lines) console.log(line)
  await context.db.terminate()
} catch (error) {
  if (!(error instanceof Usage || error instanceof SettingsError)) throw error
  console.error(error.message)
  process.exitCode = 2
}
