import { saveFile } from './saveFile.ts'

/** `ready`: creating the file took too long for the first tap to count, so the user must tap again. */
export type ShareResult = 'shared' | 'saved' | 'givenUp' | 'ready'

/**
 * Hands a file to an app that the user chooses. Saves the file if the browser can't share it, or if an
 * earlier share never settled.
 */
export async function shareFile(file: File): Promise<ShareResult> {
  const files = [file]
  if (!navigator.canShare?.({ files })) {
    saveFile(file, file.name)
    return 'saved'
  }
  try {
    await navigator.share({ files })
    return 'shared'
  } catch (error) {
    const name = error instanceof DOMException ? error.name : ''
    // The user closed the system's sheet without choosing an app.
    if (name === 'AbortError') return 'givenUp'
    if (name === 'NotAllowedError') return 'ready'
    if (name !== 'InvalidStateError') throw error
    saveFile(file, file.name)
    return 'saved'
  }
}
