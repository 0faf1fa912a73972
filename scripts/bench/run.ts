// `npm run bench`: compares the product on a slow phone with the bare stack. A missed goal never fails,
// because results depend on the machine. `-- --rounds 1` measures each figure once, and `-- functions`
// measures the functions.
import { availableParallelism, loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { serveStatic } from '@hono/node-server/serve-static'
import * as chromeLauncher from 'chrome-launcher'
import { Hono } from 'hono'
import lighthouse from 'lighthouse'
import { serve } from 'service-emulators/serve'
import { startServer } from '../../e2e/server.ts'
import { BARE_STACK, ensureBareStackBuilt } from '../build/bareStack.ts'
import { ensureBuilt } from '../build/build.ts'
import { findChromium } from '../setup/chromium.mjs'
import { measureColdStarts } from './cold-start.ts'
import { measureKeystrokes } from './keystrokes.ts'
import { waitFor } from './waitFor.ts'

const SLOWDOWN = 4
const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
]

interface Figures {
  performance: number
  accessibility: number
  bestPractices: number
  seo: number
  bytes: number
  lcp: number
  tbt: number
  cls: number
}

const { values, positionals } = parseArgs({ options: { rounds: { type: 'string' } }, allowPositionals: true })
if (positionals[0] === 'functions') {
  await (await import('./functions.ts')).printFunctionBenchmark()
  process.exit()
}

const chromePath = await findChromium()
const loads = Number(values.rounds ?? 3)
const coldStarts = Number(values.rounds ?? 7)
if (!chromePath) throw new Error('No Chromium found. `npm test` installs one.')

ensureBuilt('sandbox')
ensureBareStackBuilt()
const { server: product, stop } = await waitFor('the server', startServer())
const bare = await serve(new Hono().use(serveStatic({ root: BARE_STACK, precompressed: true })).fetch)
try {
  const rounds: { product: Figures; bare: Figures }[] = []
  for (let round = 0; round < loads; round += 1)
    rounds.push({ product: await measure(product.origin), bare: await measure(bare.origin) })
  const ours = median(rounds.map((round) => round.product))
  const theirs = median(rounds.map((round) => round.bare))

  // CPU throttling multiplies the load of other programs.
  console.log(`\nLoad of this machine: ${loadavg()[0]?.toFixed(1)} on ${availableParallelism()} processors`)
  console.log(`\nSigned-out page, Lighthouse mobile, median of ${loads}`)
  for (const [name, score] of [
    ['Performance', ours.performance],
    ['Accessibility', ours.accessibility],
    ['Best practices', ours.bestPractices],
    ['SEO', ours.seo],
  ] as const)
    tell(name, score, score >= 100, 'at least 100')
  tell('Largest contentful paint, s', seconds(ours.lcp), ours.lcp <= 800, 'at most 0.8')
  tell('Total blocking time, ms', Math.round(ours.tbt), ours.tbt <= 50, 'at most 50')
  tell('Cumulative layout shift', ours.cls, ours.cls === 0, '0')

  console.log('\nAgainst the bare stack (React, Mantine and XState showing one card), in the same run')
  compare('Bytes, kB', ours.bytes / 1000, theirs.bytes / 1000)
  compare('Largest contentful paint, s', ours.lcp / 1000, theirs.lcp / 1000, 0.5)
  compare('Blocking time, ms', ours.tbt, theirs.tbt)

  const keystroke = await measureKeystrokes({ executablePath: chromePath, product, slowdown: SLOWDOWN })
  console.log(`\nKeystroke to new quote, laid out, processor slowed ${SLOWDOWN} times`)
  tell('95th percentile, ms', keystroke.toFixed(1), keystroke < 16, 'under 16')

  const started = await measureColdStarts({
    executablePath: chromePath,
    bareStack: BARE_STACK,
    slowdown: SLOWDOWN,
    rounds: coldStarts,
  })
  console.log(`\nInstalled, network cut, processor slowed ${SLOWDOWN} times, against the bare stack's card`)
  compare('Shell painted, s', started.product.shell / 1000, started.bare.shell / 1000, 0.7)
  compare('Home with its history, s', started.product.content / 1000, started.bare.content / 1000, 1.2)
  compare('Home answers a tap, s', started.product.answering / 1000, started.bare.answering / 1000)
} finally {
  stop()
  await bare.close()
}
process.exit()

async function measure(url: string): Promise<Figures> {
  const chrome = await chromeLauncher.launch({ chromePath: chromePath ?? '', chromeFlags: FLAGS })
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

function median(all: Figures[]): Figures {
  const middle = (name: keyof Figures) =>
    all.map((figures) => figures[name]).sort((one, other) => one - other)[Math.floor(all.length / 2)]
  const names = Object.keys(all[0] ?? {}) as (keyof Figures)[]
  return Object.fromEntries(names.map((name) => [name, middle(name)])) as unknown as Figures
}

function seconds(milliseconds: number) {
  return (milliseconds / 1000).toFixed(2)
}

function tell(what: string, value: string | number, isGood: boolean, target: string) {
  console.log(`${isGood ? 'ok   ' : 'MISS '} ${what}: ${value} (${target})`)
}

function compare(what: string, ours: number, theirs: number, most?: number) {
  const ratio = theirs === 0 ? Number.NaN : ours / theirs
  const figures = `${ours.toFixed(2)} against ${theirs.toFixed(2)}`
  const words = Number.isNaN(ratio) ? figures : `${figures}, ratio ${ratio.toFixed(2)}`
  if (most === undefined) console.log(`      ${what}: ${words}`)
  else tell(what, words, ratio <= most, `at most ${most}`)
}
