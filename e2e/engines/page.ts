import { expect } from '@playwright/test'
import type { Driver, KeyStroke, PagePosition } from './driver.ts'

// The part of Playwright's page and locators that e2e/steps/ needs, for engines that Playwright does not drive.
// `expect` reads a locator by `_apiName` and `_expect`, which are internal to Playwright 1.65. If a later version
// renames them, each test of the engines fails.

const NATIVE_ROLES: Readonly<Record<string, string>> = {
  button: 'button:not([role])',
  heading: 'h1, h2, h3',
  link: 'a[href]',
  listitem: 'li',
  navigation: 'nav',
  region: 'section[aria-label], section[aria-labelledby]',
  textbox: 'input:not([type=radio], [type=checkbox])',
}

/** A missing element is null. */
const CHECKS: Readonly<Record<string, (seen: Seen | null) => boolean>> = {
  'to.be.visible': (seen) => seen !== null,
  'to.be.hidden': (seen) => seen === null,
  'to.be.enabled': (seen) => seen?.isEnabled === true,
  'to.be.checked': (seen) => seen?.isChecked === true,
}

const KEYS: Readonly<Record<string, string>> = {
  Enter: '\uE007',
  Control: '\uE009',
  Space: '\uE00D',
}

type Text = string | RegExp
type Named = { name?: Text; exact?: boolean; level?: number }
type Work = (...given: never[]) => unknown
type Place = Pick<PagePosition, 'frame' | 'inset'>

/** The elements of a selector whose name or text matches. */
interface Part {
  readonly selector: string
  readonly by: 'name' | 'text'
  readonly pattern: { readonly source: string; readonly flags: string }
}

interface Seen {
  readonly x: number
  readonly y: number
  readonly isInReach: boolean
  readonly isEnabled: boolean
  readonly isFocused: boolean
  readonly isChecked: boolean
  readonly value: string
}

class Scope {
  readonly driver: Driver
  readonly frame: string | null
  readonly parts: readonly Part[]

  constructor(driver: Driver, frame: string | null = null, parts: readonly Part[] = []) {
    this.driver = driver
    this.frame = frame
    this.parts = parts
  }

  getByRole(role: string, { name = /^/, exact = false, level }: Named = {}) {
    const native = level ? `h${level}` : (NATIVE_ROLES[role] ?? role)
    return this.#find(`${native}, [role=${role}]`, 'name', name, exact)
  }

  getByLabel(text: Text, { exact = false } = {}) {
    return this.#find('input, textarea, select', 'name', text, exact)
  }

  getByText(text: Text, { exact = false } = {}) {
    return this.#find('body *', 'text', text, exact)
  }

  locator(selector: string) {
    return this.#find(selector, 'text', /^/, false)
  }

  #find(selector: string, by: Part['by'], text: Text, exact: boolean) {
    const { source, flags } = text instanceof RegExp ? text : buildPattern(text, exact)
    const parts = [...this.parts, { selector, by, pattern: { source, flags } }]
    return new EngineLocator(this.driver, this.frame, parts)
  }
}

function buildPattern(text: string, exact: boolean) {
  const source = text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/\s+/g, ' ')
  return exact ? new RegExp(`^${source}$`) : new RegExp(source, 'i')
}

export class EnginePage extends Scope {
  readonly origin: string

  constructor(driver: Driver, { origin }: { origin: string }) {
    super(driver)
    this.origin = origin
  }

  goto = (address: string) => this.driver.go(new URL(address, this.origin).href)
  reload = () => this.driver.reload()
  frameLocator = (selector: string) => new Scope(this.driver, selector)
  evaluate = (work: Work, argument?: unknown) => this.driver.run(String(work), argument)
  async waitForFunction(work: Work, argument?: unknown) {
    await expect.poll(async () => Boolean(await this.evaluate(work, argument))).toBe(true)
  }
}

async function pressKeys(driver: Driver, keys: readonly string[], held: readonly string[] = []) {
  const stroke = (type: KeyStroke['type']) => (key: string) => ({ type, value: KEYS[key] ?? key })
  const [down, up] = [stroke('keyDown'), stroke('keyUp')]
  const strokes = [...held.map(down), ...keys.flatMap((key) => [down(key), up(key)]), ...held.map(up)]
  const focused = (await driver.run(String(findFrame), null)) as Place | null
  await driver.type(strokes, focused?.frame ?? null)
}

class EngineLocator extends Scope {
  readonly _apiName = 'Locator'

  async _expect(expression: string, { isNot, timeout }: { isNot: boolean; timeout: number }) {
    const check = CHECKS[expression]
    if (!check) throw new Error(`The engines have no check ${expression}`)
    const errorMessage = await expect
      .poll(async () => check(await this.#look()), { timeout, message: String(this) })
      .toBe(!isNot)
      .then(() => undefined, String)
    return { matches: (errorMessage === undefined) !== isNot, errorMessage }
  }

  evaluate = async (work: Work, argument?: unknown) => {
    await this.#see()
    return this.#run(`([element], argument) => (${work})(element, argument)`, argument)
  }
  isChecked = async () => (await this.#see()).isChecked
  waitFor = async () => void (await this.#see())

  async click() {
    let last: Seen | null = null
    const { x, y } = await this.#see(async (seen) => {
      if (!seen.isInReach) await this.#run(String(scrollIntoView))
      const isStill = last?.x === seen.x && last.y === seen.y
      last = seen
      return isStill && seen.isInReach && seen.isEnabled
    })
    const place = await this.#place()
    if (place) await this.driver.tap({ x, y, ...place })
  }

  async fill(text: string) {
    await this.click()
    await this.#see(({ isFocused }) => isFocused)
    await pressKeys(this.driver, ['a'], ['Control'])
    await pressKeys(this.driver, [...text])
    const plain = (value: string) => value.replace(/[\s/]/g, '')
    await this.#see(({ value }) => plain(value) === plain(text))
  }

  async press(key: string) {
    await this.evaluate((element: HTMLElement) => element.focus())
    await pressKeys(this.driver, [key])
  }

  override toString() {
    return this.parts.map(({ selector, pattern }) => `${selector} ${pattern.source}`).join(' » ')
  }

  async #see(isWanted: (seen: Seen) => boolean | Promise<boolean> = () => true): Promise<Seen> {
    let seen: Seen | null = null
    const look = async () => {
      seen = await this.#look()
      return seen !== null && isWanted(seen)
    }
    await expect.poll(look, { message: String(this) }).toBe(true)
    return seen as unknown as Seen
  }

  async #look(): Promise<Seen | null> {
    const look = this.#run(String(describe)) as Promise<Seen | null>
    // The frame may be removed meanwhile.
    return this.frame === null ? look : look.catch(() => null)
  }

  async #run(work: string, argument?: unknown) {
    const place = await this.#place()
    const all = `({ parts, argument }) => (${work})((${findElements})(parts), argument)`
    return place && this.driver.run(all, { parts: this.parts, argument }, place.frame)
  }

  /** Returns null while the frame is missing. */
  async #place() {
    if (this.frame === null) return { frame: null, inset: { x: 0, y: 0 } }
    return (await this.driver.run(String(findFrame), this.frame)) as Place | null
  }
}

/** Runs in the page: finds a frame, by default the one with the focus. */
function findFrame(selector: string | null): Place | null {
  const element = selector === null ? document.activeElement : document.querySelector(selector)
  if (!(element instanceof HTMLIFrameElement)) return null
  const all = Array.from({ length: frames.length }, (_, index) => frames[index])
  const { left, top } = element.getBoundingClientRect()
  return {
    frame: all.indexOf(element.contentWindow ?? undefined),
    inset: { x: left + element.clientLeft, y: top + element.clientTop },
  }
}

/** Runs in the page. */
function findElements(parts: readonly Part[]): ParentNode[] {
  const getName = (element: Element): string => {
    const ids = element.getAttribute('aria-labelledby')?.split(' ') ?? []
    const texts = ids.map((id) => document.getElementById(id)?.textContent).join(' ')
    const text = ((element as HTMLInputElement).labels?.[0] ?? element).textContent
    return texts || element.getAttribute('aria-label') || text || ''
  }
  const isVisible = (element: Element) =>
    element.checkVisibility({
      visibilityProperty: true,
      opacityProperty: !element.matches('input, select'),
    }) && !element.closest('[aria-hidden=true], [inert]')
  return parts.reduce<ParentNode[]>(
    (scopes, { selector, by, pattern }) => {
      const isCalled = (element: Element) => {
        const name = by === 'name' ? getName(element) : (element.textContent ?? '')
        return new RegExp(pattern.source, pattern.flags).test(name.replace(/\s+/g, ' ').trim())
      }
      const found = scopes
        .flatMap((scope) => [...scope.querySelectorAll(selector)])
        .filter((element) => isVisible(element) && isCalled(element))
      // Elements around a text contain it too.
      const isInner = (element: Element) => !found.some((one) => one !== element && element.contains(one))
      return [...new Set(by === 'name' ? found : found.filter(isInner))]
    },
    [document],
  )
}

/** Runs in the page. */
function scrollIntoView([element]: readonly Element[]) {
  element?.scrollIntoView({ block: 'center', behavior: 'instant' })
}

/** Runs in the page. */
function describe(elements: HTMLInputElement[]): Seen | null {
  const [element] = elements
  if (!element) return null
  if (elements.length > 1) throw new Error(`There are ${elements.length} such elements`)
  // A radio button or checkbox may be invisible, and drawn by its label.
  const isDrawn = element.getBoundingClientRect().width > 1 && getComputedStyle(element).opacity !== '0'
  const label = element.labels?.[0]
  const shown = isDrawn ? element : (label ?? element)
  const { left, top, width, height } = shown.getBoundingClientRect()
  const [x, y] = [left + width / 2, top + height / 2]
  const at = document.elementFromPoint(x, y)
  return {
    x,
    y,
    isInReach: at !== null && (shown.contains(at) || at.contains(shown) || !!label?.contains(at)),
    isEnabled: !element.disabled,
    isFocused: document.activeElement === element,
    isChecked: element.checked,
    value: element.value,
  }
}
