/** Width and height in points, and pixels per point. */
export const SPLASH_SCREENS = [
  [375, 667, 2],
  [414, 896, 2],
  [375, 812, 3],
  [390, 844, 3],
  [393, 852, 3],
  [402, 874, 3],
  [414, 896, 3],
  [428, 926, 3],
  [430, 932, 3],
  [440, 956, 3],
  [744, 1133, 2],
  [768, 1024, 2],
  [810, 1080, 2],
  [820, 1180, 2],
  [834, 1194, 2],
  [1024, 1366, 2],
] as const

export const getSplashPath = (width: number, height: number, density: number) =>
  `/splash/${width * density}x${height * density}.png`

/** iOS would show a white screen at the start; other systems draw theirs from the manifest. */
export function linkSplashScreens() {
  for (const [width, height, density] of SPLASH_SCREENS) {
    const link = document.createElement('link')
    link.rel = 'apple-touch-startup-image'
    link.media = `(device-width: ${width}px) and (device-height: ${height}px) and (-webkit-device-pixel-ratio: ${density}) and (orientation: portrait)`
    link.href = getSplashPath(width, height, density)
    document.head.append(link)
  }
}
