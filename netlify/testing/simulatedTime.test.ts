import { expect, test } from 'vitest'
import { createSimulatedTime } from './simulatedTime.ts'

const MINUTE = 60_000

test('parallel waits overlap and consecutive waits add up', async () => {
  const time = createSimulatedTime()
  await time.run(() => Promise.all([time.wait(100), time.wait(300)]))
  expect(time.elapsed()).toBe(300)
  await time.run(() => time.wait(50).then(() => time.wait(25)))
  expect(time.elapsed()).toBe(375)
})

test('timers fire in order of their time, and then of their start', async () => {
  const time = createSimulatedTime()
  const fired: string[] = []
  const note = (name: string, ms: number) => time.wait(ms).then(() => fired.push(`${name} ${time.elapsed()}`))
  await time.run(() => Promise.all([note('late', 20), note('first', 10), note('second', 10), note('now', 0)]))
  expect(fired).toEqual(['now 0', 'first 10', 'second 10', 'late 20'])
})

test('an hour of waiting takes no real time', async () => {
  const time = createSimulatedTime()
  const before = performance.now()
  await time.run(() => new Promise((resolve) => setTimeout(resolve, 60 * MINUTE)))
  expect(time.elapsed()).toBe(60 * MINUTE)
  expect(performance.now() - before).toBeLessThan(MINUTE)
})

test('AbortSignal.timeout aborts at its simulated time', async () => {
  const time = createSimulatedTime()
  const aborted = await time.run(async () => {
    const signal = AbortSignal.timeout(5_000)
    await time.wait(4_999)
    const before = signal.aborted
    await time.wait(1)
    return [before, signal.aborted, signal.reason.name]
  })
  expect(aborted).toEqual([false, true, 'TimeoutError'])
})

test('a timer can be cleared and postponed', async () => {
  const time = createSimulatedTime()
  const fired: number[] = []
  await time.run(async () => {
    const cleared = setTimeout(() => fired.push(-1), 10)
    const later = setTimeout(() => fired.push(time.elapsed()), 10)
    await time.wait(5)
    clearTimeout(cleared)
    later.refresh()
    await time.wait(20)
  })
  expect(fired).toEqual([15])
})

test('a pending timer fires in the next run unless cleared', async () => {
  const time = createSimulatedTime()
  const fired: number[] = []
  const [, cleared] = await time.run(async () => [
    setTimeout(() => fired.push(time.elapsed()), 100),
    setTimeout(() => fired.push(-1), 100),
  ])
  clearTimeout(cleared)
  time.pass(200)
  expect(fired).toEqual([])
  await time.run(() => time.wait(0))
  expect(fired).toEqual([200])
})

test('timers are real again after a run that failed', async () => {
  const real = [globalThis.setTimeout, AbortSignal.timeout]
  const time = createSimulatedTime()
  await expect(time.run(async () => Promise.reject(new Error('failed')))).rejects.toThrow('failed')
  expect([globalThis.setTimeout, AbortSignal.timeout]).toEqual(real)
})

test('no simulated time passes during held work', async () => {
  const time = createSimulatedTime()
  const work = () => crypto.subtle.digest('SHA-256', new Uint8Array(1_000_000))
  const order = await time.run(async () => {
    const done: string[] = []
    await Promise.all([
      time.hold(work()).then(() => done.push(`work ${time.elapsed()}`)),
      time.wait(1).then(() => done.push('wait')),
    ])
    return done
  })
  expect(order).toEqual(['work 0', 'wait'])
})

test('a run ends only after all tracked work', async () => {
  const time = createSimulatedTime()
  await time.run(async () => {
    void time.track(time.wait(500))
  })
  expect(time.elapsed()).toBe(500)
})

test('a later run does not wrap clearTimeout again', async () => {
  await createSimulatedTime().run(async () => {})
  const { clearTimeout: clear } = globalThis
  await createSimulatedTime().run(async () => {})
  expect(globalThis.clearTimeout).toBe(clear)
})

test('a timer of an earlier run can be cleared', async () => {
  const time = createSimulatedTime()
  let isFired = false
  const handle = await time.run(async () => setTimeout(() => (isFired = true), 10))
  clearTimeout(handle)
  await time.run(() => time.wait(20))
  expect(isFired).toBe(false)
})
