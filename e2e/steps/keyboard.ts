import { expect, type Locator, type Page } from '@playwright/test'

/** More tab stops than any screen has. */
const MAX_TAB_STOPS = 40

/** Each element focused on the way must be visible and marked. */
export async function tabTo(page: Page, target: Locator, key = 'Tab') {
  await expect(target).toBeEnabled()
  const stops: string[] = []
  for (let stop = 0; stop < MAX_TAB_STOPS; stop += 1) {
    if (await hasFocus(target)) return
    await page.keyboard.press(key)
    const { name, problem } = await describeFocus(page)
    stops.push(name)
    expect.soft(problem, name).toBe('')
  }
  throw new Error(`${key} does not lead to ${target}; it went over ${stops.join(' · ')}`)
}

const hasFocus = (target: Locator) =>
  target.evaluate((element) => {
    const { activeElement } = element.ownerDocument
    return activeElement === element && element.ownerDocument.hasFocus()
  })

/** A provider's frame draws its own focus indicator. */
export function describeFocus(page: Page): Promise<{ name: string; problem: string }> {
  return page.evaluate(() => {
    const element = document.activeElement
    if (!element || element === document.body) return { name: 'nothing', problem: 'The focus is lost' }
    const text = element.getAttribute('aria-label') ?? element.getAttribute('name') ?? element.textContent
    const name = `<${element.localName}> ${(text ?? '').trim().slice(0, 40)}`
    if (element.localName === 'iframe') return { name, problem: '' }
    const isOutlined = ({ outlineStyle, outlineWidth }: CSSStyleDeclaration) =>
      outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2
    // The indicator of a radio button is on its tile, that of an input on its field, that of an amount on its
    // bank, which its label covers, and that of a native list on the pill below it.
    const label = element.closest('label')
    const marked =
      (label && isOutlined(getComputedStyle(label, '::after'))) ||
      [element, element.parentElement, label, element.nextElementSibling].some((part) => {
        if (!part) return false
        const style = getComputedStyle(part)
        const isField = part.matches('input, textarea, :has(> input)')
        return isOutlined(style) || (isField && style.boxShadow !== 'none')
      })
    if (!marked) return { name, problem: 'The focus is not marked' }
    const { left, top, width, height } = element.getBoundingClientRect()
    const isInSight = [0.1, 0.5, 0.9].some((part) => {
      const hit = document.elementFromPoint(left + width / 2, top + height * part)
      return (
        hit !== null &&
        (element.contains(hit) || hit.contains(element) || hit.closest('label')?.contains(element))
      )
    })
    return { name, problem: isInSight ? '' : 'The focus is out of sight' }
  })
}
