const COLOURS = 5

/** Selects the colour of a person's avatar: the same for the same number, on every device. */
export function selectPersonColour(key: string): number {
  let hash = 0
  for (const letter of key) hash = (hash * 31 + (letter.codePointAt(0) ?? 0)) % 9973
  return (hash % COLOURS) + 1
}
