export const canShare = (): boolean => 'share' in navigator

/** @throws if it can't be copied either. */
export async function shareLink(link: {
  readonly title: string
  readonly url: string
}): Promise<'shared' | 'copied'> {
  if (canShare())
    try {
      await navigator.share(link)
      return 'shared'
    } catch (error) {
      // The user closed the system's sheet without choosing an app.
      if (error instanceof DOMException && error.name === 'AbortError') return 'shared'
    }
  await navigator.clipboard.writeText(link.url)
  return 'copied'
}
