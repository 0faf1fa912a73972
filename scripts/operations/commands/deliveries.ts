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
    // It is there before anything is claimed for it. Numbers of people stand in it, and nothing is overwritten.
    if (said.export) newFile(said.export)
    const { lines, file } = await deliveries(context, rest, said)
    if (said.export && file !== null) writeFileSync(said.export, file)
    for (const line of lines) console.log(line)
  } catch (error) {
    if (error instanceof Usage) throw error
    for (const line of linesOf(failure('The deliveries', error))) console.log(line)
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

function newFile(path: string) {
  try {
    writeFileSync(path, '', { flag: 'wx', mode: 0o600 })
  } catch {
    throw new Usage(`${path} can't be made: is it there already?`)
  }
}
