import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { PAPER } from './paper.ts'

const read = (path: string) => readFileSync(path, 'utf8')
const COLOUR = /#[0-9a-f]{3,8}\b|\b(?:rgb|hsl|oklch)a?\(/i
const SIZE = /\b\d*\.?\d+(?:rem|px|pt)\b/

/** The lines of these files that match, but for media and container queries, which can't read tokens. */
function linesWith(pattern: RegExp, ...globs: string[]): string[] {
  return globs.flatMap((glob) =>
    globSync(glob).flatMap((path) =>
      read(path)
        .split('\n')
        .filter((line) => pattern.test(line) && !/@(?:media|container)/.test(line))
        .map((line) => `${path}: ${line.trim()}`),
    ),
  )
}

test('no feature has a colour of its own', () => {
  expect(linesWith(COLOUR, 'src/features/**/*.css', 'src/features/**/*.ts', 'src/features/**/*.tsx')).toEqual(
    [],
  )
})

test('no feature has a size of its own', () => {
  expect(linesWith(SIZE, 'src/features/**/*.css')).toEqual([])
})

test('no shared component has a colour of its own', () => {
  expect(linesWith(COLOUR, 'src/ui/**/*.module.css')).toEqual([])
})

test('what is printed has the colours of the theme', () => {
  const theme = read('src/ui/theme.css')
  const { sheet, ...colours } = PAPER
  expect(Object.values(colours).filter((colour) => !theme.includes(colour))).toEqual([])
  expect(sheet).toBe('#ffffff')
})
