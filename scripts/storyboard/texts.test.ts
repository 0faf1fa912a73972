import { expect, test } from 'vitest'
import { readAll } from './texts.ts'

/** The scene 'slow' fails at first. */
async function readScenes(failedAttempts: number) {
  const attempts: string[] = []
  const openReader = async () => async (name: string) => {
    attempts.push(name)
    if (name === 'slow' && attempts.filter((one) => one === name).length <= failedAttempts)
      throw new Error('slow: never appears')
  }
  await readAll(['home', 'slow', 'history'], openReader)
  return attempts
}

test('reads a scene again alone if it failed beside others', async () => {
  const attempts = await readScenes(1)
  expect(attempts.slice(0, 3).sort()).toEqual(['history', 'home', 'slow'])
  expect(attempts.slice(3)).toEqual(['slow'])
})

test('fails if a scene fails alone too', async () => {
  await expect(readScenes(2)).rejects.toThrow('slow: never appears')
})
