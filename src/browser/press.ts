/** In milliseconds. */
const CLICK_WITHIN = 100

let isPressed = false
let lifting: ReturnType<typeof setTimeout> | undefined
const waiting: (() => void)[] = []

/** A layout shift during a press would move the target away and lose the tap. */
export function runAfterPress(work: () => void): void {
  if (isPressed) waiting.push(work)
  else work()
}

function lift() {
  clearTimeout(lifting)
  isPressed = false
  for (const work of waiting.splice(0)) work()
}

// The prerendering build has no window.
const listen: typeof addEventListener = globalThis.addEventListener ?? (() => {})

listen(
  'pointerdown',
  () => {
    clearTimeout(lifting)
    isPressed = true
  },
  true,
)
listen('pointerup', () => {
  clearTimeout(lifting)
  lifting = setTimeout(lift, CLICK_WITHIN)
})
// A browser menu or another window can end a press without `pointerup`.
for (const end of ['click', 'pointercancel', 'contextmenu', 'blur']) listen(end, lift)
