import { MAX_FIRST_SCREEN_WAIT, reportFirstScreen } from './firstScreen.ts'
import { repeatTap } from './snapshotTap.ts'

/** In milliseconds. Later, the user has moved on, and the page must not jump. */
const REMEMBERED = 10_000

let reveal = () => {}

/** Creates the detached element in which the app draws while the snapshot of the home screen is shown. */
export function createHiddenRoot(picture: HTMLElement): HTMLElement {
  const place = document.createElement('div')
  place.id = picture.id
  reveal = () => {
    reveal = () => {}
    picture.replaceWith(place)
    document.adoptedStyleSheets = []
    const { tapped, tappedAt = 0 } = window.opening ?? {}
    const isRecent = performance.now() - tappedAt < REMEMBERED
    if (tapped && isRecent && picture.contains(tapped)) repeatTap(tapped, place)
  }
  setTimeout(() => reveal(), MAX_FIRST_SCREEN_WAIT)
  return place
}

/** Call it once the app has something to show. */
export function revealApp() {
  reveal()
  reportFirstScreen()
}
