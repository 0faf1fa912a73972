import { type ComponentType, lazy, useEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import { importWithRetry } from '../browser/importWithRetry.ts'
import { afterPress } from '../browser/press.ts'

/**
 * A part of the screen that is not needed to begin using it, shown inside a `Suspense`. Its code is fetched as soon as
 * there is nothing better to do, and again until it is there: a network that fails must not take the screen away.
 */
export function lazyComponent<Props>(load: () => Promise<ComponentType<Props>>) {
  let loading: Promise<{ default: ComponentType<Props> }> | null = null
  const once = () => {
    loading ??= importWithRetry(async () => ({ default: await load() }))
    return loading
  }
  whenIdle(once)
  return lazy(once)
}

/** What `useLazyComponent` has fetched, by how. */
const here = new WeakMap<() => Promise<unknown>, unknown>()

/**
 * The same without a `Suspense`, null until the code is there: for a part that the painted page shows too, where nothing may be suspended,
 * and for one that pushes away what stands below it. It never comes under a finger. What a `Suspense` has waited for React shows up to
 * 0.3 seconds later, whatever is pressed by then.
 */
export function useLazyComponent<Props>(
  load: (() => Promise<ComponentType<Props>>) | null,
): ComponentType<Props> | null {
  const [part, setPart] = useState(
    () => (load && (here.get(load) as ComponentType<Props> | undefined)) ?? null,
  )
  useEffect(() => {
    if (!load || part) return
    whenIdle(async () => {
      const loaded = await importWithRetry(load)
      here.set(load, loaded)
      afterPress(() => flushSync(() => setPart(() => loaded)))
    })
  }, [load, part])
  return part
}

const idly = globalThis.requestIdleCallback ?? setTimeout

/** Does something as soon as there is nothing better to do. */
export const whenIdle = (work: () => void): void => void idly(work)
