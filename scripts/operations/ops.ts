// `npm run ops -- <command>`: the commands of an operator.
import { operate } from './operate.ts'

process.exitCode = await operate(process.argv.slice(2), console.log)
