import { saveFile } from './saveFile.ts'

/** Creating the file can take too long for the first tap to count. */
export type ShareResult = 'shared' | 'saved' | 'givenUp' | 'ready'

/** Saves the file if the browser can't share it, or if an earlier share never settled. */
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
    if (name === 'AbortError') return 'givenUp'
    if (name === 'NotAllowedError') return 'ready'
    if (name !== 'InvalidStateError') throw error
    saveFile(file, file.name)
    return 'saved'
  }
}
