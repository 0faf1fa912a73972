/** The angle, in degrees, that spreads successive values around the color wheel. */
const GOLDEN_ANGLE = 137.508

/** Selects the hue of a person's avatar, in degrees: the same for the same number, on every device. */
export function selectPersonHue(key: string): number {
  let hash = 0
  for (const letter of key) hash = (hash * 31 + (letter.codePointAt(0) ?? 0)) % 9973
  return Math.round(hash * GOLDEN_ANGLE) % 360
}
