import { type ComponentType, lazy, useEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import { runWhenIdle } from '../browser/firstScreen.ts'
import { importWithRetry } from '../browser/importWithRetry.ts'
import { runAfterPress } from '../browser/press.ts'

/**
 * Returns a component that loads when the browser is idle, for use inside a `Suspense`. Loading is retried,
 * so that a network failure doesn't remove the screen.
 */
export function createLazyComponent<Props>(load: () => Promise<ComponentType<Props>>) {
  let loading: Promise<{ default: ComponentType<Props> }> | null = null
  const once = () => {
    loading ??= importWithRetry(async () => ({ default: await load() }))
    return loading
  }
  runWhenIdle(once)
  return lazy(once)
}

/** Components that `useLazyComponent` has loaded, by loader. */
const loadedComponents = new WeakMap<() => Promise<unknown>, unknown>()

/**
 * Returns a component that needs no `Suspense`; null until its chunk has loaded. For parts of the prerendered
 * page, which can't suspend, and for parts that shift the layout: they appear after the end of a press,
 * whereas React reveals suspended parts at any time.
 */
export function useLazyComponent<Props>(
  load: (() => Promise<ComponentType<Props>>) | null,
): ComponentType<Props> | null {
  const [part, setPart] = useState(
    () => (load && (loadedComponents.get(load) as ComponentType<Props> | undefined)) ?? null,
  )
  useEffect(() => {
    if (!load || part) return
    runWhenIdle(async () => {
      const loaded = await importWithRetry(load)
      loadedComponents.set(load, loaded)
      runAfterPress(() => flushSync(() => setPart(() => loaded)))
    })
  }, [load, part])
  return part
}
