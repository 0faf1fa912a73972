// Measures each function as bundled by Netlify: its size, and the time and CPU time from process start to first
// response, usually a refusal of the anonymous caller. The sandbox runs in this process.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { pathToFileURL } from 'node:url'
import { gzipSync } from 'node:zlib'
import { serve } from 'service-emulators/serve'
import { buildFunctions } from '../../build/functions.ts'
import { packForNetlify } from '../../build/netlifyPackage.ts'
import { createSandbox } from '../../sandbox/sandbox.ts'
import { computeMedians, STEP_LIMIT } from './measuring.ts'

const ROUNDS = 7

/** `names`: all functions if empty. */
export async function printFunctionBenchmark(names: readonly string[]) {
  let origin = ''
  const sandbox = createSandbox({ origin: () => origin, functionsOrigin: () => null })
  const server = await serve(sandbox.app.fetch)
  origin = server.origin

  console.log(
    'function                 file, gzipped   package, zipped   first answer   CPU time (medians of 7)',
  )
  const environment = { ...process.env, ...sandbox.functionSettings() }
  for (const { name, file } of await buildFunctions()) {
    if (names.length > 0 && !names.includes(name)) continue
    const answers: FirstAnswer[] = []
    const { zippedBytes } = await packForNetlify(file, async (folder) => {
      const address = pathToFileURL(join(folder, `${name}.mjs`)).href
      // The first run warms up the disk cache.
      await measureFirstAnswer(address, environment)
      for (let round = 0; round < ROUNDS; round += 1)
        answers.push(await measureFirstAnswer(address, environment))
    })
    const { ms, cpu } = computeMedians(answers)
    const size = gzipSync(readFileSync(file), { level: 9 }).length
    const columns = [
      kilobytes(size).padStart(12),
      kilobytes(zippedBytes).padStart(18),
      `${Math.round(ms)} ms`.padStart(15),
      `${Math.round(cpu)} ms`.padStart(11),
    ]
    console.log(`${name.padEnd(26)}${columns.join('')}`)
  }
  await server.close()
}

/** In milliseconds. */
interface FirstAnswer {
  readonly ms: number
  readonly cpu: number
}

async function measureFirstAnswer(address: string, env: NodeJS.ProcessEnv): Promise<FirstAnswer> {
  const call = `
    const { default: handle } = await import(${JSON.stringify(address)})
    const headers = { 'content-type': 'application/json' }
    const request = new Request('http://localhost/', { method: 'POST', headers, body: '{"phone":"+33612345678"}' })
    const { status } = await handle(request, { ip: '203.0.113.7' })
    const ms = performance.now()
    const { user, system } = process.cpuUsage()
    process.stdout.write('\\n' + JSON.stringify({ ms, cpu: (user + system) / 1000, status }))
    process.exit()`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', call], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: STEP_LIMIT,
  })
  const [written, complaints, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ])
  if (code !== 0) throw new Error(`${address} did not answer:\n${complaints}`)
  const { status, ...answer } = JSON.parse(written.trim().split('\n').at(-1) ?? '') as FirstAnswer & {
    status: number
  }
  if (status >= 500) throw new Error(`${address} responded with status ${status}`)
  return answer
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1000).toFixed(0)} kB`
}
