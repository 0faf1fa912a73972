/** Whether the system has a sheet for sharing. */
export const canShare = (): boolean => 'share' in navigator

/** Hands an address to an app of the person's choice; copies it where the browser can't share, or will not. @throws when it can't be copied either. */
export async function shareLink(link: {
  readonly title: string
  readonly url: string
}): Promise<'shared' | 'copied'> {
  if (canShare())
    try {
      await navigator.share(link)
      return 'shared'
    } catch (error) {
      // Closing the system's sheet without choosing an app is no failure.
      if (error instanceof DOMException && error.name === 'AbortError') return 'shared'
    }
  await navigator.clipboard.writeText(link.url)
  return 'copied'
}
