/** Opens a channel to the other tabs; null in a browser that has none, where each tab is on its own. */
export const openChannel = (name: string): BroadcastChannel | null =>
  globalThis.BroadcastChannel ? new BroadcastChannel(name) : null
