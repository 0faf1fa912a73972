import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { PRINT_COLORS } from '../../print/printColors.ts'

const read = (path: string) => readFileSync(path, 'utf8')
const COLOR = /#[0-9a-f]{3,8}\b|\b(?:rgb|hsl|oklch)a?\(/i
const SIZE = /\b\d*\.?\d+(?:rem|px|pt)\b/

/** Media and container queries can't use tokens. */
function findLines(pattern: RegExp, ...globs: string[]): string[] {
  return globs.flatMap((glob) =>
    globSync(glob).flatMap((path) =>
      read(path)
        .split('\n')
        .filter((line) => pattern.test(line) && !/@(?:media|container)/.test(line))
        .map((line) => `${path}: ${line.trim()}`),
    ),
  )
}

test('features contain no literal colors', () => {
  expect(findLines(COLOR, 'src/features/**/*.css', 'src/features/**/*.ts', 'src/features/**/*.tsx')).toEqual(
    [],
  )
})

test('style sheets of features contain no literal sizes', () => {
  expect(findLines(SIZE, 'src/features/**/*.css')).toEqual([])
})

test('a size in two places of shared components is a token', () => {
  const theme = read('src/ui/theme.css')
  const seen = new Set([...theme.matchAll(/^ *--[\w-]+: ([\d.]+(?:rem|px));$/gm)].map(([, size]) => size))
  const repeated = findLines(SIZE, 'src/ui/**/*.css', 'src/shell/**/*.css').filter((line) => {
    if (/theme\.css|\btranslate\(/.test(line)) return false
    const sizes = line.match(/\d*\.?\d+(?:rem|px|pt)\b/g) ?? []
    const isRepeated = sizes.some((size) => seen.has(size))
    for (const size of sizes) seen.add(size)
    return isRepeated
  })
  expect(repeated).toEqual([])
})

test('style sheets of shared components contain no literal colors', () => {
  expect(findLines(COLOR, 'src/ui/**/*.module.css')).toEqual([])
})

test('a hover is styled only for devices that hover', () => {
  const rest = globSync('src/**/*.css')
    .map((path) => [path, read(path).replaceAll(/^@media \(hover: hover\) \{.*?^\}/gms, '')] as const)
    .filter(([, css]) => css.includes(':hover'))
  expect(rest.map(([path]) => path)).toEqual([])
})

test('the colors of the PDF are also in the theme', () => {
  const theme = read('src/ui/theme.css')
  const { sheet, ...colors } = PRINT_COLORS
  expect(Object.values(colors).filter((color) => !theme.includes(color))).toEqual([])
  expect(sheet).toBe('#ffffff')
})

test('pages outside the app use only tokens of the theme', () => {
  const theme = read('src/ui/theme.css')
  const used = globSync(['legal/*.css', 'src/googlePopup/*.css']).flatMap((path) => [
    ...read(path).matchAll(/var\((--[\w-]+)\)/g),
  ])
  expect(used.map(([, token]) => token).filter((token) => !theme.includes(`${token}:`))).toEqual([])
})
