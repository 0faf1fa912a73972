import { type ComponentType, lazy, useEffect, useState } from 'react'
import { importWithRetry } from '../browser/importWithRetry.ts'
import { afterPress } from '../browser/press.ts'

/**
 * A part of the screen that is not needed to begin using it, shown inside a `Suspense`. Its code is fetched as soon as
 * there is nothing better to do, and again until it is there: a network that fails must not take the screen away.
 */
export function lazyComponent<Props>(load: () => Promise<ComponentType<Props>>) {
  let loading: Promise<{ default: ComponentType<Props> }> | null = null
  const once = () => {
    loading ??= importWithRetry(async () => ({ default: await load() })).then(notUnderFinger)
    return loading
  }
  whenIdle(once)
  return lazy(once)
}

/** The same for a part that the painted page shows too. Nothing may be suspended there, so it is null until the code is there. */
export function useLazyComponent<Props>(
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> | null {
  const [part, setPart] = useState<ComponentType<Props> | null>(null)
  useEffect(() => {
    whenIdle(() => importWithRetry(load).then((loaded) => afterPress(() => setPart(() => loaded))))
  }, [load])
  return part
}

/** The same once nothing is pressed: what appears moves what is below it. */
const notUnderFinger = <Thing>(thing: Thing) => new Promise<Thing>((show) => afterPress(() => show(thing)))

const idly = globalThis.requestIdleCallback ?? setTimeout

/** Does something as soon as there is nothing better to do. */
export const whenIdle = (work: () => void): void => void idly(work)
