/** In degrees; spreads successive values around the color wheel. */
const GOLDEN_ANGLE = 137.508

/** The hue, in degrees, is the same on every device. */
export function selectPersonHue(key: string): number {
  let hash = 0
  for (const letter of key) hash = (hash * 31 + (letter.codePointAt(0) ?? 0)) % 9973
  return Math.round(hash * GOLDEN_ANGLE) % 360
}
