import { type ComponentType, lazy } from 'react'

/** Milliseconds between two tries to fetch code on a bad network. */
const TRY_AGAIN_AFTER = 2000

/**
 * A part of the screen that is not needed to begin using it, shown inside a `Suspense`. Its code is fetched as soon as
 * there is nothing better to do, and again until it is there: a network that fails must not take the screen away.
 */
export function later<Props>(load: () => Promise<ComponentType<Props>>) {
  let loading: Promise<{ default: ComponentType<Props> }> | null = null
  const once = () => {
    loading ??= untilLoaded(load)
    return loading
  }
  const whenIdle = globalThis.requestIdleCallback ?? setTimeout
  whenIdle(once)
  return lazy(once)
}

async function untilLoaded<Props>(load: () => Promise<ComponentType<Props>>) {
  for (;;) {
    try {
      return { default: await load() }
    } catch {
      await new Promise((resolve) => setTimeout(resolve, TRY_AGAIN_AFTER))
    }
  }
}
