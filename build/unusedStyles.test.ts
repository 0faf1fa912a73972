import { globSync, readFileSync } from 'node:fs'
import * as mantine from '@mantine/core'
import { preprocessCSS, resolveConfig } from 'vite'
import { beforeAll, expect, test } from 'vitest'
import { createUnusedStylesPlugin, UNUSED_PARTS, UNUSED_STATES, UNUSED_VARIABLES } from './unusedStyles.ts'

async function sheets(plugins: ReturnType<typeof createUnusedStylesPlugin>[]): Promise<string> {
  const config = await resolveConfig({ configFile: false, css: { postcss: { plugins } } }, 'build')
  const paths = globSync('src/**/*.css')
  const styles = await Promise.all(
    paths.map((path) => preprocessCSS(readFileSync(path, 'utf8'), path, config)),
  )
  return styles.map(({ code }) => code).join('\n')
}

const findDeclared = (styles: string) =>
  new Set([...styles.matchAll(/(--[\w-]+)\s*:/g)].map(([, name = '']) => name))
const findUsed = (styles: string) =>
  new Set([...styles.matchAll(/var\(\s*(--[\w-]+)\s*\)/g)].map(([, name = '']) => name))

let whole: string
let kept: string
beforeAll(async () => {
  whole = await sheets([])
  kept = await sheets([createUnusedStylesPlugin()])
})

test.each(Object.entries(UNUSED_PARTS))(
  'removes the unused style %s, the library’s class of %j',
  (name, [component, part]) => {
    const { classes } = (mantine as unknown as Record<string, { classes: Record<string, string> }>)[
      component
    ] ?? { classes: {} }
    expect(
      classes[part],
      `@mantine/core has another class for '${part}' of ${component} now: correct its name in build/unusedStyles.ts`,
    ).toBe(name)
    expect(
      whole,
      `${name} (${component}, ${part}) is in no sheet of the app: it need not be left out`,
    ).toContain(name)
    expect(kept, `${name} (${component}, ${part}) is still there`).not.toContain(name)
  },
)

test.each(UNUSED_VARIABLES.map((names) => [names] as const))(
  'the unused variables %s match variables of the library',
  (names) => {
    expect(
      [...findDeclared(whole)].some((name) => names.test(name)),
      `@mantine/core declares no variable ${names} any more: find its replacement for build/unusedStyles.ts`,
    ).toBe(true)
  },
)

test.each(UNUSED_STATES.map((state) => [state] as const))(
  'removes the library’s styles of the unused state %s',
  (state) => {
    expect(whole, `@mantine/core has no style for ${state} any more`).toMatch(state)
    expect(kept, `a style for ${state} is still there`).not.toMatch(state)
  },
)

test('no remaining style uses a removed variable', () => {
  const declared = findDeclared(kept)
  const missing = [...findUsed(kept)].filter((name) => findDeclared(whole).has(name) && !declared.has(name))
  expect(missing, 'The patterns in build/unusedStyles.ts must not remove these variables').toEqual([])
})

test('the plugin keeps variables that the app’s style sheets declare', () => {
  const own = globSync('src/**/*.css').map((path) => readFileSync(path, 'utf8'))
  const lost = [...findDeclared(own.join('\n'))].filter((name) => !findDeclared(kept).has(name))
  expect(lost, 'A pattern in build/unusedStyles.ts removes variables of the app').toEqual([])
})
