import { expect, test } from 'vitest'
import { readAll } from './texts.ts'

/** The scene 'slow' fails at first. */
async function readBesideOthers(failedAttempts: number) {
  const attempts: string[] = []
  const openReader = async () => async (name: string) => {
    attempts.push(name)
    if (name === 'slow' && attempts.filter((one) => one === name).length <= failedAttempts)
      throw new Error('slow: never appears')
  }
  const others = new Promise<void>((resolve) =>
    setTimeout(() => {
      attempts.push('others ended')
      resolve()
    }),
  )
  await readAll(['home', 'slow', 'history'], openReader, others)
  return attempts
}

test('reads a scene again alone if it failed beside other work', async () => {
  const attempts = await readBesideOthers(1)
  expect(attempts.slice(0, 3).sort()).toEqual(['history', 'home', 'slow'])
  expect(attempts.slice(3)).toEqual(['others ended', 'slow'])
})

test('fails if a scene fails alone too', async () => {
  await expect(readBesideOthers(2)).rejects.toThrow('slow: never appears')
})
