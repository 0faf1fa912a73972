const SIZE = 32
const COLOR = [64, 128, 192, 255]
/** Some browsers change the last bits of a few pixels, which a user can't see. */
const UNSEEN_CHANGE = 4

/** Against fingerprinting, some browsers return noise, which would make a picture unreadable. */
export function isCanvasReadable(): boolean {
  const context = Object.assign(document.createElement('canvas'), { width: SIZE, height: SIZE }).getContext(
    '2d',
  )
  if (!context) return false
  context.fillStyle = `rgb(${COLOR.slice(0, 3).join(' ')})`
  context.fillRect(0, 0, SIZE, SIZE)
  return context
    .getImageData(0, 0, SIZE, SIZE)
    .data.every((value, at) => Math.abs(value - (COLOR[at % COLOR.length] ?? 0)) <= UNSEEN_CHANGE)
}
