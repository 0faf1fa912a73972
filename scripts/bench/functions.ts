// Measures each function as bundled by Netlify: its size, and the time from process start to first response,
// usually a refusal of the anonymous caller. The sandbox runs in this process.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { pathToFileURL } from 'node:url'
import { gzipSync } from 'node:zlib'
import { serve } from 'service-emulators/serve'
import { createSandbox } from '../../sandbox/sandbox.ts'
import { buildFunctions } from '../build/functions.ts'
import { packForNetlify } from '../build/netlifyPackage.ts'
import { STEP_LIMIT } from './waitFor.ts'

const ROUNDS = 7

export async function printFunctionBenchmark() {
  let origin = ''
  const sandbox = createSandbox({ origin: () => origin, functionsOrigin: () => null })
  const server = await serve(sandbox.app.fetch)
  origin = server.origin

  console.log('function                 file, gzipped   package, zipped   first answer (median of 7)')
  const environment = { ...process.env, ...sandbox.functionSettings() }
  for (const { name, file } of await buildFunctions()) {
    const times: number[] = []
    const { zippedBytes } = await packForNetlify(file, async (folder) => {
      const address = pathToFileURL(join(folder, `${name}.mjs`)).href
      // The first run warms up the disk cache.
      await measureFirstAnswer(address, environment)
      for (let round = 0; round < ROUNDS; round += 1)
        times.push(await measureFirstAnswer(address, environment))
    })
    const median = times.sort((one, other) => one - other)[Math.floor(ROUNDS / 2)] ?? Number.NaN
    const size = gzipSync(readFileSync(file), { level: 9 }).length
    const columns = [
      kilobytes(size).padStart(12),
      kilobytes(zippedBytes).padStart(18),
      `${Math.round(median)} ms`.padStart(12),
    ]
    console.log(`${name.padEnd(26)}${columns.join('')}`)
  }
  await server.close()
}

async function measureFirstAnswer(address: string, env: NodeJS.ProcessEnv): Promise<number> {
  const call = `
    const { default: handle } = await import(${JSON.stringify(address)})
    const headers = { 'content-type': 'application/json' }
    const request = new Request('http://localhost/', { method: 'POST', headers, body: '{"phone":"+33612345678"}' })
    const { status } = await handle(request, { ip: '203.0.113.7' })
    const ms = performance.now()
    process.stdout.write('\\n' + JSON.stringify({ ms, status }))
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
  const { ms, status } = JSON.parse(written.trim().split('\n').at(-1) ?? '') as { ms: number; status: number }
  if (status >= 500) throw new Error(`${address} responded with status ${status}`)
  return ms
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1000).toFixed(0)} kB`
}
