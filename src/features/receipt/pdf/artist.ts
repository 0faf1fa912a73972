/** A PNG picture and its size in its own pixels. */
export interface Picture {
  readonly png: Uint8Array
  readonly width: number
  readonly height: number
}

/** Draws the pictures of the PDF. Null means that one can't be drawn; the receipt then goes without it. */
export interface Artist {
  readonly emblem: () => Promise<Picture | null>
  /** A text in a script that the fonts of the receipt don't have, such as N'Ko or Arabic. */
  readonly text: (text: string) => Promise<Picture | null>
}

/** The height of a line in sizes of its letters. */
export const LINE_HEIGHT = 1.35
/** Where the base line lies in a line or in the picture of a text, from its top. */
export const BASELINE = 0.75
