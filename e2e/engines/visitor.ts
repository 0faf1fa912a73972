import { expect, type Page } from '@playwright/test'
import type { Driver, KeyStroke, PagePosition } from './driver.ts'

type Kind = 'button' | 'link' | 'tab' | 'menuitem' | 'heading' | 'dialog' | 'radio' | 'field' | 'text'

/** Identifies an element on the screen by its role and its name, exact or as a pattern. */
export interface ElementTarget {
  readonly kind: Kind
  readonly name: string | RegExp
}

/** An element on the screen: its center, and whether a tap there would reach it. */
interface Seen extends PagePosition {
  readonly isInReach: boolean
  readonly isFocused: boolean
  readonly isChecked: boolean
  readonly value: string
}

type Found = Omit<Seen, 'frame' | 'inset'>

export const KEYS = {
  tab: '\uE004',
  enter: '\uE007',
  shift: '\uE008',
  control: '\uE009',
  escape: '\uE00C',
  space: '\uE00D',
  down: '\uE015',
} as const

/** A user at an engine's window who reads, taps and types, and waits for targets to appear. */
export class Visitor {
  readonly driver: Driver
  readonly origin: string

  constructor(driver: Driver, origin: string) {
    this.driver = driver
    this.origin = origin
  }

  open(path: string) {
    return this.driver.go(new URL(path, this.origin).href)
  }

  /** Has Playwright's signature, so that the layout checks work here too. */
  readonly evaluate = (async (work: (argument: unknown) => unknown, argument: unknown) =>
    this.driver.run(String(work), argument)) as Page['evaluate']

  async look({ kind, name }: ElementTarget): Promise<Seen | null> {
    const pattern = typeof name === 'string' ? null : { source: name.source, flags: name.flags }
    const sought = { kind, name: pattern ? '' : String(name), pattern }
    const frames = Array.from({ length: await this.driver.frames() }, (_, frame) => frame)
    for (const frame of frames) {
      // The frame may have been removed since it was counted.
      const found = await this.driver.run(String(seek), sought, frame).catch(() => null)
      if (!found) continue
      return { ...(found as Found), frame, inset: await this.evaluate(getFrameInset, frame) }
    }
    const found = await this.evaluate(seek, sought)
    return found && { ...found, frame: null, inset: { x: 0, y: 0 } }
  }

  async see(sought: ElementTarget, which: (seen: Seen) => boolean = () => true): Promise<Seen> {
    let seen: Seen | null = null
    await expect
      .poll(
        async () => {
          seen = await this.look(sought)
          return seen !== null && which(seen)
        },
        { message: `${sought.kind} ${sought.name}` },
      )
      .toBe(true)
    return seen as unknown as Seen
  }

  async expectAbsent(sought: ElementTarget) {
    await expect.poll(() => this.look(sought), { message: `no ${sought.kind} ${sought.name}` }).toBeNull()
  }

  /** Taps the center of an element once it no longer moves and is not covered. */
  async press(sought: ElementTarget) {
    let last: Seen | null = null
    const spot = await this.see(sought, (seen) => {
      const isStill = last?.x === seen.x && last.y === seen.y
      last = seen
      return isStill && seen.isInReach
    })
    await this.driver.tap(spot)
  }

  /** Presses keys one after the other while holding others. */
  async type(text: string, held: readonly string[] = []) {
    const down = (value: string): KeyStroke => ({ type: 'keyDown', value })
    const up = (value: string): KeyStroke => ({ type: 'keyUp', value })
    const keys = [...text].flatMap((key) => [down(key), up(key)])
    const strokes = [...held.map(down), ...keys, ...held.map(up)]
    await this.driver.type(strokes, await this.evaluate(focusedFrame))
  }

  /** Replaces the text of a field. */
  async fill(name: string | RegExp, text: string) {
    const field = { kind: 'field', name } as const
    await this.press(field)
    await this.see(field, ({ isFocused }) => isFocused)
    await this.type('a', [KEYS.control])
    await this.type(text)
    const plain = (value: string) => value.replace(/[\s/]/g, '')
    await this.see(field, ({ value }) => plain(value) === plain(text))
  }

  async tick(name: string | RegExp) {
    await this.press({ kind: 'field', name })
    await this.see({ kind: 'field', name }, ({ isChecked }) => isChecked)
  }

  /** Presses the tab key until the element has the focus; fails after too many presses. */
  async tabTo(sought: ElementTarget, held: readonly string[] = []) {
    for (let stop = 0; stop < MAX_TAB_STOPS; stop += 1) {
      if ((await this.look(sought))?.isFocused) return
      await this.type(KEYS.tab, held)
    }
    throw new Error(`The tab key does not come to ${sought.kind} ${sought.name}`)
  }

  /** Runs `work` in the window that `open` opens, and returns to the first window once it has closed. */
  async inNewWindow(open: () => Promise<void>, work: () => Promise<void>) {
    const before = await this.driver.windows()
    await open()
    const fresh = async () => (await this.driver.windows()).find((window) => !before.includes(window))
    await expect.poll(fresh, { message: 'a window that opens' }).toBeTruthy()
    await this.driver.use((await fresh()) ?? '')
    await work()
    await expect.poll(fresh, { message: 'a window that closes' }).toBeUndefined()
    await this.driver.use(before[0] ?? '')
  }
}

/** More tab stops than any screen has. */
const MAX_TAB_STOPS = 40

/** Runs in the page: returns the index of the frame with the focus. */
function focusedFrame(): number | null {
  const { activeElement } = document
  if (!(activeElement instanceof HTMLIFrameElement)) return null
  return Array.from({ length: frames.length }, (_, index) => frames[index]).indexOf(
    activeElement.contentWindow ?? undefined,
  )
}

/** Runs in the page: returns the offset of a frame's content. */
function getFrameInset(index: number): { x: number; y: number } {
  const element = [...document.querySelectorAll('iframe')].find(
    ({ contentWindow }) => contentWindow === frames[index],
  )
  const { left = 0, top = 0 } = element?.getBoundingClientRect() ?? {}
  return { x: left + (element?.clientLeft ?? 0), y: top + (element?.clientTop ?? 0) }
}

/** Runs in the page: finds the last visible element with this role and name. */
function seek({
  kind,
  name,
  pattern,
}: {
  kind: Kind
  name: string
  pattern: { source: string; flags: string } | null
}): Found | null {
  const KINDS = {
    button: 'button, [role=button], input[type=submit]',
    link: 'a[href]',
    tab: '[role=tab]',
    menuitem: '[role=menuitem]',
    heading: 'h1, h2, h3',
    dialog: 'dialog, [role=dialog]',
    radio: 'input[type=radio]',
    field: 'input, textarea, select',
    text: 'body *',
  }
  const plain = (text: string | null | undefined) => (text ?? '').replace(/\s+/g, ' ').trim()
  const byId = (of: Element, attribute: string) =>
    (of.getAttribute(attribute) ?? '')
      .split(' ')
      .map((id) => plain(of.ownerDocument.getElementById(id)?.textContent))
      .join(' ')
      .trim()
  const getElementName = (element: Element): string => {
    const { labels } = element as HTMLInputElement
    return (
      byId(element, 'aria-labelledby') ||
      plain(element.getAttribute('aria-label')) ||
      plain(labels?.[0]?.textContent) ||
      plain(element.textContent)
    )
  }
  const isCalled = (element: Element) => {
    if (!pattern) return getElementName(element).replace(/ \*$/, '') === plain(name)
    return new RegExp(pattern.source, pattern.flags).test(getElementName(element))
  }
  const isHeld = (element: Element) =>
    !element.checkVisibility({ visibilityProperty: true, opacityProperty: kind !== 'field' }) ||
    element.closest('[aria-hidden=true], [inert]') !== null

  const element = [...document.querySelectorAll(KINDS[kind])]
    .filter((one) => !isHeld(one) && isCalled(one))
    .at(-1) as HTMLInputElement | undefined
  if (!element) return null
  element.scrollIntoView({ block: 'nearest', behavior: 'instant' })
  // A radio button or checkbox may be invisible, and drawn by its label.
  const isDrawn = element.getBoundingClientRect().width > 1 && getComputedStyle(element).opacity !== '0'
  const label = element.labels?.[0]
  const shown = isDrawn ? element : (label ?? element)
  const { left, top, width, height } = shown.getBoundingClientRect()
  const x = left + width / 2
  const y = top + height / 2
  const at = document.elementFromPoint(x, y)
  const isTop = at !== null && (shown.contains(at) || at.contains(shown) || (label?.contains(at) ?? false))
  return {
    x,
    y,
    isInReach: isTop && !element.disabled,
    isFocused: document.activeElement === element,
    isChecked: element.checked,
    value: element.value,
  }
}
