import type { Page } from '@playwright/test'

/** Some translators replace each present and future text with a `<font>` element, and others wrap it. */
export async function simulateTranslator(page: Page, how: 'replace' | 'wrap' = 'replace') {
  await page.evaluate((how) => {
    const isKept = (text: Node) =>
      !text.nodeValue?.trim() ||
      !text.parentElement ||
      text.parentElement.closest('script, style, textarea, font, svg, [translate=no], .notranslate') !== null
    const wrap = (text: Node) => {
      if (isKept(text) || !(text instanceof Text)) return
      const outer = document.createElement('font')
      const inner = document.createElement('font')
      outer.append(inner)
      text.replaceWith(outer)
      inner.append(how === 'wrap' ? text : text.data)
    }
    const wrapAll = (root: Node) => {
      const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
      const texts: Node[] = root instanceof Text ? [root] : []
      while (walker.nextNode()) texts.push(walker.currentNode)
      for (const text of texts) if (text.isConnected) wrap(text)
    }
    document.documentElement.classList.add('translated-ltr')
    new MutationObserver((changes) => {
      for (const { addedNodes } of changes) for (const node of addedNodes) wrapAll(node)
    }).observe(document.body, { childList: true, subtree: true })
    wrapAll(document.body)
  }, how)
}

/** Amounts in a sentence don't count. */
export const findTranslatableElements = (page: Page) =>
  page.evaluate(() => {
    const AMOUNT = /^[\s\d.,]*\d\s?(€|\$|EUR|CAD|GNF)$|^(€|\$|CAD|GNF|CA\$)\s?\d[\d.,]*$/
    const holders = [...document.querySelectorAll('body *')].filter(
      (element) =>
        element instanceof HTMLElement &&
        !element.closest('[translate=no], textarea, option') &&
        ((element instanceof HTMLButtonElement && element.textContent.trim() !== '') ||
          [...element.childNodes].some((node) => node instanceof Text && AMOUNT.test(node.data.trim()))),
    )
    return holders.map(({ outerHTML }) => outerHTML.slice(0, 200))
  })
