import { type BrowserContext, expect, type Locator, type Page } from '@playwright/test'
import type { Language } from '../../domain/language.ts'
import type { Server } from '../server.ts'
import { WORDS } from '../words.ts'
import type { Person } from './people.ts'
import { CARDS, cardFrame, confirmForm, fillTransfer, payButton, typeCard } from './transfer.ts'
import { enter } from './waysIn.ts'

/** Somebody who walks through the product, and the line of numbers by which they choose. */
export interface Walker {
  readonly context: BrowserContext
  readonly server: Server
  readonly language: Language
  readonly person: Person
  readonly random: () => number
  /** What they did, a line for each step. */
  readonly steps: string[]
}

/** A line of numbers from 0 to 1 that is the same for the same seed (Mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** A press may meet something that has just gone, or that another thing covers: then it is none. */
const PRESS = { timeout: 3000 }

/** A whole form may take longer on a busy machine. */
const LONG = { timeout: 15_000 }

/** Of what has no time of its own. */
export const LONGEST = { timeout: 60_000 }

/** What nobody comes back from with the same account, and what leaves the product. */
const NEVER = /supprimer (mon|définitivement)|delete (my|for good)|^mailto:|^tel:/i

const TYPED = [
  ...['20', '100', '12,5', '333.33', '1500', '0', '-1', 'abc', '1e9', '999999999'],
  ...['620000000', '+224 664 12 34 56', '0612345678', '+1 514 555 0123', '+49 1512 3456789', '12'],
  ...['Mariama', 'é'.repeat(60), '<b>x</b>', ' ', 'EDF', '6012-345-678', 'BIENVENUE', 'a@b.c'],
]

/** Whether the page let it be done. */
const isDone = (work: Promise<unknown>): Promise<boolean> =>
  work.then(
    () => true,
    () => false,
  )

/** Of several steps, each of which may take long but not for ever. */
async function isDoneInTime(page: Page, work: () => Promise<unknown>): Promise<boolean> {
  page.setDefaultTimeout(LONG.timeout)
  const done = await isDone(work())
  page.setDefaultTimeout(LONGEST.timeout)
  return done
}

const choose = <T>(random: () => number, from: readonly T[]): T | undefined =>
  from[Math.floor(random() * from.length)]

/** Takes so many steps, chosen by the walker's numbers. Wherever it comes the page is never blank, and never says that it failed. */
export async function walk(walker: Walker, page: Page, count: number): Promise<Page> {
  let current = page
  for (let taken = 0; taken < count; taken += 1) {
    const { random, steps } = walker
    const step = choose(random, STEPS)
    if (!step) break
    const at = steps.push(step.name) - 1
    const next = await step.take(current, walker)
    steps[at] += `: ${next.what}`
    current = next.page ?? current
    await closePopups(walker, current)
    await expectSomething(walker, current)
  }
  await walker.context.setOffline(false)
  return current
}

interface Step {
  readonly name: string
  readonly take: (page: Page, walker: Walker) => Promise<{ what: string; page?: Page }>
}

const press: Step = {
  name: 'press',
  async take(page, { random }) {
    const targets = page.locator(
      ['button', 'a[href]', 'input[type=checkbox]', 'input[type=radio]', '[role=tab]', 'summary'].join(),
    )
    const open = page.getByRole('dialog').last()
    const within =
      (await open.isVisible().catch(() => false)) && random() < 0.9 ? open.locator(targets) : targets
    const seen = await visible(within)
    const target = choose(random, seen)
    if (!target) return { what: 'nothing' }
    const [text, href] = await Promise.all([
      target
        .evaluate(
          (element) => element.getAttribute('aria-label') || element.textContent || element.id,
          null,
          PRESS,
        )
        .catch(() => ''),
      target.getAttribute('href', PRESS).catch(() => ''),
    ])
    const what = `'${(text ?? '').trim().slice(0, 40)}'${href ? ` ${href}` : ''}`
    if (NEVER.test(text ?? '') || NEVER.test(href ?? '')) return { what: `not ${what}` }
    return { what: (await isDone(target.click(PRESS))) ? what : `${what}, which was gone` }
  },
}

const type: Step = {
  name: 'type',
  async take(page, { random }) {
    const fields = await visible(
      page.locator('input:not([type=checkbox]):not([type=radio]):not([type=file]), textarea'),
    )
    const field = choose(random, fields)
    const text = choose(random, TYPED) ?? ''
    if (!field) return { what: 'nowhere' }
    await field.fill(text, PRESS).catch(() => undefined)
    return { what: text }
  },
}

const fill: Step = {
  name: 'fill the transfer',
  async take(page, walker) {
    const { random, language } = walker
    const words = WORDS[language]
    const form = page.getByLabel(words.amount)
    if (!(await form.isVisible())) await page.goto('/').catch(() => undefined)
    if (!(await isDone(form.waitFor(LONG)))) return { what: 'no form' }
    const amount = choose(random, ['20', '35', '100', '250']) ?? ''
    const phone = `+224 62${String(Math.floor(random() * 10_000_000)).padStart(7, '0')}`
    const isConfirmed = await isDoneInTime(page, () =>
      fillTransfer(page, words, { amount, phone }).then(() => confirmForm(page, words)),
    )
    const filled = `${amount} to ${phone}, ${isConfirmed ? 'confirmed' : 'not confirmed'}`
    if (!isConfirmed || random() < 0.15) return { what: filled }
    const isAsked = await isDone(cardFrame(page).getByLabel(words.cardNumber).waitFor(LONG))
    return { what: isAsked ? `${filled}, ${(await pay.take(page, walker)).what}` : filled }
  },
}

const pay: Step = {
  name: 'pay',
  async take(page, { random, language }) {
    const words = WORDS[language]
    const number = choose(random, [CARDS.good, CARDS.good, CARDS.declined, CARDS.threeDSecure]) ?? ''
    const isOpen = await cardFrame(page)
      .getByLabel(words.cardNumber)
      .isVisible()
      .catch(() => false)
    if (!isOpen) return { what: 'no card is asked for' }
    const isPaid = await isDoneInTime(page, () =>
      typeCard(page, words, number).then(() => payButton(page, words).click()),
    )
    return { what: isPaid ? number : `${number}, but the sheet was gone` }
  },
}

const simple = (name: string, work: (page: Page, walker: Walker) => Promise<unknown>): Step => ({
  name,
  async take(page, walker) {
    await work(page, walker).catch(() => undefined)
    return { what: new URL(page.url()).pathname }
  },
})

/** Where a press led out of the product, somebody comes back by the browser's own button. */
const goBack = simple('back', (page) => page.goBack({ timeout: 10_000, waitUntil: 'commit' }))
const goForward = simple('forward', (page) => page.goForward({ timeout: 10_000, waitUntil: 'commit' }))
const reload = simple('reload', (page) => page.reload({ timeout: 20_000, waitUntil: 'commit' }))
const wait = simple('wait', (page) => page.waitForLoadState('networkidle', { timeout: 5000 }))
const network = simple('network', async (page, { context, random }) => {
  const isOn = await page.evaluate(() => navigator.onLine)
  if (!isOn || (random() < 0.5 && (await page.evaluate(isInstalled)))) await context.setOffline(isOn)
})

/** Runs in the page. Before the app is on the device, a page without a network is the browser's own. */
const isInstalled = async () => Boolean((await navigator.serviceWorker.getRegistration())?.active)

const otherTab: Step = {
  name: 'other tab',
  async take(page, { context, random, server }) {
    const own = context.pages().filter((one) => one.url().startsWith(server.origin))
    const others = own.filter((one) => one !== page)
    if (others.length > 0 && random() < 0.5) {
      await page.close()
      const next = others[0]
      await next?.bringToFront()
      return { what: 'closed', ...(next && { page: next }) }
    }
    const isOn = await page.evaluate(() => navigator.onLine).catch(() => true)
    const next = others[0] ?? (isOn ? await context.newPage() : page)
    if (next !== page && others.length === 0) {
      const path = choose(random, ['/', '/settings', '/nowhere', '/?transfer=pi_nothing']) ?? '/'
      await next.goto(path)
    }
    await next.bringToFront()
    return { what: new URL(next.url()).pathname, page: next }
  },
}

const often = <T>(times: number, step: T): T[] => Array<T>(times).fill(step)

const STEPS: readonly Step[] = [
  ...often(14, press),
  ...often(5, type),
  ...often(8, fill),
  ...often(3, pay),
  ...often(3, wait),
  ...often(2, reload),
  ...often(2, goBack),
  ...often(2, network),
  ...[goForward, otherTab],
]

async function visible(found: Locator): Promise<Locator[]> {
  const all = await found.all()
  const shown = await Promise.all(all.map((one) => one.isVisible().catch(() => false)))
  return all.filter((_, i) => shown[i])
}

async function closePopups({ context, server }: Walker, current: Page) {
  for (const page of context.pages())
    if (page !== current && !page.url().startsWith(server.origin)) await page.close()
}

/** Whatever was pressed there is something to read, and it is not that the app has failed; who is signed out comes in again. */
async function expectSomething({ server, language, person, random, steps }: Walker, page: Page) {
  const { origin, pathname } = new URL(page.url())
  // A tab begins at a page that is not the app's, and the browser's own button leads back to it.
  if (origin !== server.origin || /^\/(sandbox\/|robots\.txt$)/.test(pathname)) {
    steps.push(`out of the product at ${page.url()}: back`)
    await page.goto(server.origin)
  }
  const body = page.locator('body')
  // biome-ignore lint/performance/useDomNodeTextContent: What is hidden is nothing that somebody could read.
  const read = () => body.innerText(PRESS).catch(() => '')
  await expect
    .poll(async () => (await read()).trim().length, { message: 'a page that is not blank' })
    .toBeGreaterThan(20)
  expect(await read()).not.toMatch(/L’application a rencontré un problème|The app ran into a problem/)
  const isSignedOut = await page.getByRole('tab', { name: WORDS[language].emailTab }).isVisible()
  if (!isSignedOut || random() < 0.5) return
  steps.push('signed out: in again')
  await page.context().setOffline(false)
  await enter(page, server, language, person)
}
