import { i18n } from '@lingui/core'
import { generateMessageId } from '@lingui/message-utils/generateMessageId'

/** Each step waits for its element. Texts are message IDs, which are French. */
export interface User {
  /** Presses one after the other. */
  press(...texts: readonly string[]): Promise<void>
  /** Presses again until the text `until` appears: some controls need their rows first. */
  pressUntil(text: string, until: string): Promise<void>
  type(label: string, value: string): Promise<void>
  /** Types values by label, then presses. */
  submit(values: Readonly<Record<string, string>>, button: string): Promise<void>
  choose(file: File): Promise<void>
  leave(): void
  see(text: string): Promise<void>
}

const PRESSABLE = 'button, a, summary, [role=menuitem], [role=tab], input[type=checkbox], input[type=radio]'

/** Removes all spaces, because French typography changes some of them. */
const squash = (text: string | null | undefined) => (text ?? '').replace(/\s+/gu, '')

/**
 * Returns a message in the shown language, without spaces and tags and up to its first placeholder. Not
 * cached, because a page's messages load with the page. Returns other texts as they are.
 */
function toWords(text: string): string {
  const [words] = [i18n.messages[generateMessageId(text)] ?? text].flat()
  return typeof words === 'string' ? squash(words.replace(/<\/?\d+\/?>|\{.*/gs, '')) : ''
}

const getName = (element: Element) =>
  element.getAttribute('aria-label') ??
  (element instanceof HTMLInputElement || element instanceof HTMLSelectElement
    ? element.labels?.[0]?.textContent
    : readText(element))

/** Returns the text without its decoration, such as initials. */
function readText(element: Element) {
  const copy = element.cloneNode(true) as Element
  for (const hidden of copy.querySelectorAll('[aria-hidden=true]')) hidden.remove()
  return copy.textContent
}

function isOnTop(element: Element): boolean {
  const dialog = [...document.querySelectorAll('[role=dialog]')].at(-1)
  return !dialog || dialog.contains(element) || element.contains(dialog)
}

function waitFor<Found extends Element>(
  selector: string,
  isMeant: (element: Found) => boolean,
): Promise<Found> {
  return new Promise((resolve) => {
    const look = () => {
      const found = [...document.querySelectorAll<Found>(selector)].find(
        (element) =>
          isMeant(element) &&
          isOnTop(element) &&
          !element.closest('[inert]') &&
          !element.matches(':disabled'),
      )
      if (found) resolve(found)
      else requestAnimationFrame(look)
    }
    look()
  })
}

const isShown = (text: string) => squash(document.body.textContent).includes(toWords(text))

export const user: User = {
  async press(...texts) {
    for (const text of texts) {
      const found = await waitFor<HTMLElement>(PRESSABLE, (element) =>
        squash(getName(element)).startsWith(toWords(text)),
      )
      found.click()
    }
  },
  async pressUntil(text, until) {
    for (;;) {
      await user.press(text)
      if (isShown(until)) return
      await new Promise(requestAnimationFrame)
    }
  },
  async type(label, value) {
    const field = await waitFor<HTMLInputElement | HTMLSelectElement>('input, select, textarea', (element) =>
      squash(getName(element) || element.labels?.[0]?.textContent).startsWith(toWords(label)),
    )
    const { set } = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value') ?? {}
    field.focus()
    set?.call(field, value)
    field.dispatchEvent(new Event(field instanceof HTMLSelectElement ? 'change' : 'input', { bubbles: true }))
  },
  async submit(values, button) {
    for (const [label, value] of Object.entries(values)) await user.type(label, value)
    await user.press(button)
  },
  async choose(file) {
    const field = await waitFor<HTMLInputElement>('input[type=file]', () => true)
    const chosen = new DataTransfer()
    chosen.items.add(file)
    field.files = chosen.files
    field.dispatchEvent(new Event('change', { bubbles: true }))
  },
  leave() {
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
  },
  async see(text) {
    await waitFor('body', () => isShown(text))
  },
}
