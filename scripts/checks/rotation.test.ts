import { expect, test } from 'vitest'
import { choosePart } from './rotation.ts'

const listNames = (length: number, all: boolean) =>
  Array.from({ length }, (_, commits) => choosePart(1000 + commits, all).name)

test('eleven commits in a row run each part once', () => {
  expect(new Set(listNames(11, false)).size).toBe(11)
  expect(choosePart(1000, false)).toBe(choosePart(1011, false))
})

test('a run of everything repeats no share of itself', () => {
  expect(new Set(listNames(11, true))).toEqual(
    new Set(['WebKit', 'Firefox', 'bench', 'storyboard', 'pictures']),
  )
})
