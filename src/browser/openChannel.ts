/** Opens a channel to the other tabs; null in a browser that has or allows none, where each tab is on its own. */
export function openChannel(name: string): BroadcastChannel | null {
  try {
    return new BroadcastChannel(name)
  } catch {
    return null
  }
}
