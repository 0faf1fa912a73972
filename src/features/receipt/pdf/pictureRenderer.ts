/** A PNG picture and its size in its own pixels. */
export interface Picture {
  readonly png: Uint8Array
  readonly width: number
  readonly height: number
}

/** Draws the pictures of the PDF. If a picture is null, the PDF is created without it. */
export interface PictureRenderer {
  readonly emblem: () => Promise<Picture | null>
  /** Draws a text in a script that the fonts of the receipt lack, such as N'Ko or Arabic. */
  readonly text: (text: string) => Promise<Picture | null>
}
