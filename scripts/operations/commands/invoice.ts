// `npm run invoice -- edf 6012-345-678`: how an invoice stands, and why it can't be paid. With `allow 2026-12-10` behind it lets the
// invoice of that due date be paid although it seems to be paid already.

import { checkInvoiceLookup } from '../../../domain/invoice.ts'
import { createContext } from '../../../netlify/server/platform/context.ts'
import { readSettings, SettingsError } from '../../../netlify/server/platform/settings.ts'
import { chosenSettings, Usage } from '../chosenSettings.ts'
import { allowInvoice, explainInvoice } from '../invoice.ts'

try {
  const { variables, rest } = await chosenSettings(process.argv.slice(2))
  const [supplier = '', reference = '', verb, dueDate = ''] = rest
  const lookup = checkInvoiceLookup({ supplier, reference })
  if (!lookup.ok || (verb !== undefined && verb !== 'allow'))
    throw new Usage(
      'Say which invoice: npm run invoice -- edf 6012-345-678, and to let it be paid: allow 2026-12-10.',
    )
  const context = createContext(readSettings(variables))
  if (verb === 'allow') console.log(await allowInvoice(context, lookup.value, dueDate))
  for (const line of await explainInvoice(context, lookup.value)) console.log(line)
  await context.db.terminate()
} catch (error) {
  if (!(error instanceof Usage || error instanceof SettingsError)) throw error
  console.error(error.message)
  process.exitCode = 2
}
