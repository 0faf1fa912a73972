import { type ComponentType, lazy, useEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import { runWhenIdle } from '../browser/firstScreen.ts'
import { importWithRetry } from '../browser/importWithRetry.ts'
import { runAfterPress } from '../browser/press.ts'

/** For use inside a `Suspense`. */
export function createLazyComponent<Props>(load: () => Promise<ComponentType<Props>>) {
  let loading: Promise<{ default: ComponentType<Props> }> | null = null
  const once = () => {
    loading ??= importWithRetry(async () => ({ default: await load() }))
    return loading
  }
  runWhenIdle(once)
  return lazy(once)
}

const loadedComponents = new WeakMap<() => Promise<unknown>, unknown>()

/**
 * Null until the chunk has loaded. For parts of the prerendered page, which can't suspend, and for parts that
 * shift the layout: React would reveal suspended parts during a press.
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
      const component = await importWithRetry(load)
      loadedComponents.set(load, component)
      runAfterPress(() => flushSync(() => setPart(() => component)))
    })
  }, [load, part])
  return part
}
