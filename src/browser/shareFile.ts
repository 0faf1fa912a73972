import { save } from './saveFile.ts'

/** `ready`: the browser wants one more tap, because making the file took longer than a tap counts. */
export type Shared = 'shared' | 'saved' | 'givenUp' | 'ready'

/** Hands a file to an app of the person's choice; saves it where the browser can't share such files. */
export async function shareFile(file: File): Promise<Shared> {
  const files = [file]
  if (!navigator.canShare?.({ files })) {
    save(file, file.name)
    return 'saved'
  }
  try {
    await navigator.share({ files })
    return 'shared'
  } catch (error) {
    const name = error instanceof DOMException ? error.name : ''
    // Closing the system's sheet without choosing an app is no failure.
    if (name === 'AbortError') return 'givenUp'
    if (name === 'NotAllowedError') return 'ready'
    throw error
  }
}
