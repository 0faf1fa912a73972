import { MINUTE } from '../../domain/common/duration.ts'

export function saveFile(file: Blob, name: string) {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(file)
  link.download = name
  link.click()
  // The browser reads the file after this call has returned.
  setTimeout(() => URL.revokeObjectURL(link.href), MINUTE)
}
