// `npm run ops -- <command>`
import { runCommandLine } from './commandLine.ts'

process.exitCode = await runCommandLine(process.argv.slice(2), console.log)
