// Measures each built function: the time and CPU time from process start to first response, usually a refusal of
// the anonymous caller. The sandbox runs in this process. `npm run check -- budgets` has the sizes.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { pathToFileURL } from 'node:url'
import { serve } from 'service-emulators/serve'
import { buildFunctions } from '../../build/functions.ts'
import { createSandbox } from '../../sandbox/sandbox.ts'
import { computeMedians, STEP_LIMIT } from './measuring.ts'

const ROUNDS = 7

/** `names`: all functions if empty. */
export async function printFunctionBenchmark(names: readonly string[]) {
  let origin = ''
  const sandbox = createSandbox({ origin: () => origin, functionsOrigin: () => null })
  const server = await serve(sandbox.app.fetch)
  origin = server.origin

  console.log(`function                     first answer   CPU time (medians of ${ROUNDS})`)
  const environment = { ...process.env, ...sandbox.functionSettings() }
  for (const { name, file } of await buildFunctions()) {
    if (names.length > 0 && !names.includes(name)) continue
    const answers: FirstAnswer[] = []
    const address = pathToFileURL(file).href
    // The first run warms up the disk cache.
    await measureFirstAnswer(address, environment)
    for (let round = 0; round < ROUNDS; round += 1)
      answers.push(await measureFirstAnswer(address, environment))
    const { ms, cpu } = computeMedians(answers)
    console.log(
      `${name.padEnd(26)}${`${Math.round(ms)} ms`.padStart(15)}${`${Math.round(cpu)} ms`.padStart(11)}`,
    )
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
