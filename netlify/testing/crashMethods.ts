import { vi } from 'vitest'
import type { CrashMoment } from './crashingContext.ts'

/** Crashes before the `at`th call, or after it with its result lost. Later calls throw. */
export function crashMethods(
  at: number,
  when: CrashMoment,
  ...methods: readonly [target: object, name: string][]
) {
  let calls = 0
  for (const [target, name] of methods) {
    const work = Reflect.get(target, name)
    vi.spyOn(target as Record<string, () => unknown>, name).mockImplementation(async function (
      this: unknown,
      ...args: unknown[]
    ) {
      calls += 1
      if (calls > at || (calls === at && when === 'before')) throw new Error('dead')
      const result = await Reflect.apply(work, this, args)
      if (calls >= at) throw new Error('dead')
      return result
    })
  }
}
