// `npm run bench`: compares the product on a slow phone with the bare stack. A missed goal never fails,
// because results depend on the machine. `-- --rounds 1` measures each figure once, `-- --against COMMIT`
// also measures that commit in turn, and `-- functions NAME…` measures all functions or the named ones.
import { availableParallelism, loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { serveStatic } from '@hono/node-server/serve-static'
import * as chromeLauncher from 'chrome-launcher'
import { Hono } from 'hono'
import lighthouse from 'lighthouse'
import { serve } from 'service-emulators/serve'
import { BARE_STACK, ensureBareStackBuilt } from '../../build/bareStack.ts'
import { ensureBuilt } from '../../build/build.ts'
import { startServer } from '../../e2e/server.ts'
import { requireChromium } from '../setup/chromium.mjs'
import { measureColdStarts } from './cold-start.ts'
import { buildCommit } from './commit.ts'
import { HISTORY_LENGTH, measureHistories } from './history.ts'
import { measureKeystrokes } from './keystrokes.ts'
import { computeMedians, SLOWDOWN, waitFor } from './measuring.ts'

const FLAGS = ['--headless', '--no-sandbox', '--disable-gpu']

type Figures = Awaited<ReturnType<typeof measure>>

const { values, positionals } = parseArgs({
  options: { rounds: { type: 'string' }, against: { type: 'string' } },
  allowPositionals: true,
})
if (positionals[0] === 'functions') {
  await (await import('./functions.ts')).printFunctionBenchmark(positionals.slice(1))
  process.exit()
}

const chromePath = await requireChromium()
const loads = Number(values.rounds ?? 3)
const coldStarts = Number(values.rounds ?? 7)

ensureBuilt('sandbox')
ensureBareStackBuilt()
const folders = [{}, ...(values.against ? [{ SANDBOX_APP: buildCommit(values.against) }] : [])]
const servers = await waitFor('the servers', Promise.all(folders.map((settings) => startServer(settings))))
const apps = servers.map(({ server }) => server)
const bareServer = await serve(new Hono().use(serveStatic({ root: BARE_STACK, precompressed: true })).fetch)
const bare = bareServer.origin
try {
  const origins = [...apps.map(({ origin }) => origin), bare]
  const rounds: Figures[][] = []
  for (let round = 0; round < loads; round += 1) {
    rounds.push([])
    for (const origin of origins) rounds.at(-1)?.push(await measure(origin))
  }
  const loaded = origins.map((_, index) => computeMedians(rounds.flatMap((figures) => figures[index] ?? [])))

  // CPU throttling multiplies the load of other programs.
  console.log(`\nLoad of this machine: ${loadavg()[0]?.toFixed(1)} on ${availableParallelism()} processors`)
  if (values.against) console.log(`Each figure is followed by that of ${values.against}.`)
  console.log(`\nSigned-out page, Lighthouse mobile, median of ${loads}, against the bare stack's card`)
  const own = loaded.slice(0, -1)
  tell('Performance', pick(own, 'performance'), 100)
  tell('Accessibility', pick(own, 'accessibility'), 100)
  tell('Best practices', pick(own, 'bestPractices'), 100)
  tell('SEO', pick(own, 'seo'), 100)
  tell('Cumulative layout shift', pick(own, 'cls'), 0)
  compare('Bytes', pick(loaded, 'bytes'))
  compare('Largest contentful paint, ms', pick(loaded, 'lcp'), 0.55)
  compare('Total blocking time, ms', pick(loaded, 'tbt'))

  const keys = await measureKeystrokes({ apps, bare })
  console.log(`\nA key in the amount, processor slowed ${SLOWDOWN} times, against the bare stack's field`)
  compare('New quote laid out, 95th percentile, ms', pick(keys, 'p95'), 1.3)
  compare('CPU time until idle, ms', pick(keys, 'cpu'))
  compare('Layouts until idle', pick(keys, 'layouts'))

  const starts = await measureColdStarts({ apps, bare }, coldStarts)
  console.log(`\nInstalled, network cut, processor slowed ${SLOWDOWN} times, against the bare stack's card`)
  compare('Shell painted, ms', pick(starts, 'shell'), 0.7)
  compare('Home with its history, ms', pick(starts, 'content'), 1.2)
  compare('Home answers a tap, ms', pick(starts, 'answering'), 2)

  const histories = await measureHistories(apps)
  console.log(`\n${HISTORY_LENGTH} transfers on the device, processor slowed ${SLOWDOWN} times`)
  tell('First row, ms', pick(histories, 'firstRow'))
  tell('Frame while scrolling, 95th percentile, ms', pick(histories, 'frame'))
  tell('Memory with the first rows, MB', pick(histories, 'memory'))
  tell('Memory at the oldest row, MB', pick(histories, 'memoryAtEnd'))
} finally {
  for (const { stop } of servers) stop()
  await bareServer.close()
}
process.exit()

async function measure(url: string) {
  const chrome = await chromeLauncher.launch({ chromePath, chromeFlags: FLAGS })
  try {
    const running = lighthouse(url, { port: chrome.port, output: 'json', logLevel: 'error' })
    const result = await waitFor(`Lighthouse on ${url}`, running)
    if (!result) throw new Error(`Lighthouse has no result for ${url}`)
    const { categories, audits, runtimeError } = result.lhr
    if (runtimeError) throw new Error(runtimeError.message)
    const score = (name: string) => Math.round((categories[name]?.score ?? 0) * 100)
    const value = (name: string) => audits[name]?.numericValue ?? Number.NaN
    for (const [name, { auditRefs }] of Object.entries(categories))
      for (const { id, weight } of auditRefs) {
        const audit = audits[id]
        if (weight > 0 && audit?.score !== null && audit && audit.score < 0.9)
          console.log(`      ${url} ${name}: ${id} ${audit.displayValue ?? ''}`)
      }
    return {
      performance: score('performance'),
      accessibility: score('accessibility'),
      bestPractices: score('best-practices'),
      seo: score('seo'),
      bytes: value('total-byte-weight'),
      lcp: value('largest-contentful-paint'),
      tbt: value('total-blocking-time'),
      cls: value('cumulative-layout-shift'),
    }
  } finally {
    chrome.kill()
  }
}

function pick<Name extends string>(all: readonly Readonly<Record<Name, number>>[], name: Name): number[] {
  return all.map((figures) => figures[name])
}

function round(value: number) {
  return Math.round(value * 10) / 10
}

/** Figures of the apps, this one first. */
function tell(what: string, all: readonly number[], goal?: number) {
  const mark = goal === undefined ? '' : all[0] === goal ? 'ok' : 'MISS'
  const wanted = goal === undefined ? '' : ` (goal: ${goal})`
  console.log(`${mark.padEnd(5)} ${what}: ${all.map(round).join(', ')}${wanted}`)
}

/** Figures of the apps, then the bare stack's. `most`: times the bare stack's. */
function compare(what: string, all: readonly number[], most?: number) {
  const own = all.slice(0, -1)
  const theirs = all.at(-1) ?? Number.NaN
  const ratios = own.map((value) => value / theirs)
  const mark = most === undefined ? '' : (ratios[0] ?? Number.NaN) <= most ? 'ok' : 'MISS'
  const goal = most === undefined ? '' : `, at most ${most}`
  const times = theirs === 0 ? '' : `; ${ratios.map((ratio) => ratio.toFixed(2)).join(', ')} times`
  console.log(
    `${mark.padEnd(5)} ${what}: ${own.map(round).join(', ')} against ${round(theirs)}${times}${goal}`,
  )
}
