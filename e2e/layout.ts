import { type CDPSession, expect, type Page } from '@playwright/test'

/** Other engines implement these methods too. */
type Measured = Pick<Page, 'evaluate'>

/** In CSS pixels. WCAG 2.2 requires 24; main targets are larger. */
const TARGET = 24
const MAIN_TARGET = 44

/** A reader may set this spacing without loss of content (WCAG 2.2, 1.4.12). */
const LOOSE_TEXT = `
  * { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important }
  p { margin-block-end: 2em !important }
`

/** Uses a style sheet object, because the security policy forbids style elements. */
export async function applyTextSpacing(page: Measured): Promise<() => Promise<void>> {
  await page.evaluate((css) => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(css)
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
  }, LOOSE_TEXT)
  return () =>
    page.evaluate(() => {
      document.adoptedStyleSheets = document.adoptedStyleSheets.slice(0, -1)
    })
}

const sessions = new WeakMap<Page, CDPSession>()

/**
 * In pixels (default 16). The size scales every `rem`, including those in media queries, and lasts until the
 * session ends or the window is resized.
 */
export async function createFontSizeSetter(page: Page): Promise<(pixels: number) => Promise<void>> {
  const session = sessions.get(page) ?? (await page.context().newCDPSession(page))
  sessions.set(page, session)
  return async (standard) => {
    await session.send('Page.setFontSizes', { fontSizes: { standard } })
    await expect(page.locator('html')).toHaveCSS('font-size', `${standard}px`)
  }
}

/** `breaks`: where words may be broken, because of a wide text spacing or a larger font. */
export function findLayoutProblems(
  page: Measured,
  { breaks = 'nowhere' }: { breaks?: 'nowhere' | 'outside of bars' | 'anywhere' } = {},
): Promise<string[]> {
  return page.evaluate(async (mayBreak) => {
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
    const name = (element: Element) =>
      `<${element.localName}> '${(element.textContent ?? '').trim().slice(0, 40)}'`
    const root = document.documentElement
    const problems: string[] = []
    if (root.scrollWidth > root.clientWidth) {
      const sticksOut = (element: Element) => element.getBoundingClientRect().right > root.clientWidth + 1
      const culprits = [...document.body.querySelectorAll('*')].filter(
        (element) => sticksOut(element) && ![...element.children].some(sticksOut),
      )
      problems.push(
        `The page is ${root.scrollWidth} wide in a window of ${root.clientWidth}: ${culprits.map(name).join(', ')}`,
      )
    }

    /** Such an element is for screen readers only. */
    const isUnseen = (element: Element): boolean =>
      getComputedStyle(element).clipPath !== 'none' ||
      (element.parentElement !== null && isUnseen(element.parentElement))
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let node = texts.nextNode(); node; node = texts.nextNode()) {
      const element = node.parentElement
      if (
        !element ||
        !node.textContent?.trim() ||
        !element.checkVisibility({ visibilityProperty: true, opacityProperty: true })
      )
        continue
      if (element.closest('svg, script, style, noscript') || isUnseen(element)) continue
      const range = document.createRange()
      range.selectNodeContents(node)
      const text = range.getBoundingClientRect()
      if (text.width === 0) continue
      if (text.left < -1 || text.right > root.clientWidth + 1)
        problems.push(
          `${name(element)} leaves the window: ${Math.round(text.left)} to ${Math.round(text.right)}`,
        )
      // Only plain words are checked: addresses and numbers may have no other place to break.
      const isToBreak = mayBreak === 'anywhere' || (mayBreak !== 'nowhere' && !element.closest('nav, header'))
      const words = isToBreak ? [] : node.textContent.matchAll(/(?<!\S)[\p{L}’]+(?=[.,;:!?…»)]*(?!\S))/gu)
      for (const { 0: word, index } of words) {
        range.setStart(node, index)
        range.setEnd(node, index + word.length)
        const tops = [...range.getClientRects()].map(({ top }) => top)
        if (Math.max(...tops) - Math.min(...tops) > 2)
          problems.push(`${name(element)} breaks '${word}' in two`)
      }
      for (let box: Element | null = element; box && box !== root; box = box.parentElement) {
        const { overflowX, overflowY, position } = getComputedStyle(box)
        const edges = box.getBoundingClientRect()
        const isCutSideways =
          overflowX !== 'visible' && (text.left < edges.left - 1 || text.right > edges.right + 1)
        // Vertically scrollable content is not lost.
        const isCutDown =
          (overflowY === 'hidden' || overflowY === 'clip') &&
          (text.top < edges.top - 1 || text.bottom > edges.bottom + 1)
        if (isCutSideways || isCutDown) problems.push(`${name(element)} is cut off by ${box.className}`)
        if (position === 'fixed') break
      }
    }
    return [...new Set(problems)]
  }, breaks)
}

export function findTargetProblems(page: Measured): Promise<string[]> {
  return page.evaluate(
    ([least, main]) => {
      const TARGETS =
        'a[href], button, input, select, textarea, summary, [role=menuitem], [role=tab], [tabindex="0"]'
      const problems: string[] = []
      for (const target of document.querySelectorAll<HTMLElement>(TARGETS)) {
        if (
          !target.checkVisibility({ visibilityProperty: true }) ||
          target.closest('[aria-hidden=true], [inert]')
        )
          continue
        // The label of a radio button or checkbox is part of its target.
        const boxes = [target, ...((target as HTMLInputElement).labels ?? [])]
          .filter((_part, index) => index === 0 || target.matches('[type=radio], [type=checkbox]'))
          .map((part) => part.getBoundingClientRect())
        const width = Math.max(...boxes.map((box) => box.right)) - Math.min(...boxes.map((box) => box.left))
        const height = Math.max(...boxes.map((box) => box.bottom)) - Math.min(...boxes.map((box) => box.top))
        if (width <= 1 && height <= 1) continue
        const isInText = target.matches('p a, li a')
        const isMain =
          target.matches('input, select, textarea, [role=menuitem]') || target.textContent?.trim()
        const wanted = isInText ? 0 : isMain ? main : least
        // Layout rounds to fractions of a pixel.
        if (width < wanted - 0.5 || height < wanted - 0.5)
          problems.push(
            `<${target.localName}> '${target.getAttribute('aria-label') ?? target.textContent?.trim() ?? ''}' ${target.getAttribute('name') ?? ''} is ${width.toFixed(1)} by ${height.toFixed(1)}, wanted ${wanted}`,
          )
      }
      return problems
    },
    [TARGET, MAIN_TARGET] as const,
  )
}
