/** Milliseconds after a finger was lifted within which its click has come. */
const CLICK_WITHIN = 100

let isPressed = false
let lifting: ReturnType<typeof setTimeout> | undefined
const waiting: (() => void)[] = []

/**
 * Does the work now, or once nothing is pressed any more. What appears under a finger pushes away what the finger is on,
 * and the tap is lost.
 */
export function afterPress(work: () => void): void {
  if (isPressed) waiting.push(work)
  else work()
}

function lift() {
  clearTimeout(lifting)
  isPressed = false
  for (const work of waiting.splice(0)) work()
}

// There is no window when the page is painted.
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
// A menu of the browser's, or another window, can take the finger away unseen.
for (const end of ['click', 'pointercancel', 'contextmenu', 'blur']) listen(end, lift)
