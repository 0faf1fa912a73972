import { tapAgain } from './tappedPicture.ts'

/** For how long a tap on the picture is meant, in milliseconds: then people read on, and nothing should jump. */
const REMEMBERED = 10_000

/** How long the app may take to have something to show before it shows what it has, in milliseconds. */
const PATIENCE = 3000

let reveal = () => {}

/** Where the app draws itself, outside the page, while a picture of the home screen stands in its place. */
export function behindSnapshot(
  picture: HTMLElement,
  /** What was tapped last, and when. */
  opening: () => { readonly tapped: HTMLElement | null; readonly tappedAt: number } | null,
): HTMLElement {
  const place = document.createElement('div')
  place.id = picture.id
  reveal = () => {
    reveal = () => {}
    picture.replaceWith(place)
    document.adoptedStyleSheets = []
    const { tapped, tappedAt = 0 } = opening() ?? {}
    const isRecent = performance.now() - tappedAt < REMEMBERED
    if (tapped && isRecent && picture.contains(tapped)) tapAgain(tapped, place)
  }
  setTimeout(() => reveal(), PATIENCE)
  return place
}

/** The app has something to show: it takes the place of the picture, if there is one. */
export const takePlace = () => reveal()
