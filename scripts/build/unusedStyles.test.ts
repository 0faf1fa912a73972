import { globSync, readFileSync } from 'node:fs'
import * as mantine from '@mantine/core'
import { preprocessCSS, resolveConfig } from 'vite'
import { beforeAll, expect, test } from 'vitest'
import { UNUSED_PARTS, UNUSED_VARIABLES, withoutUnusedStyles } from './unusedStyles.ts'

/** Every sheet of the app, with those of the library that it takes in. */
async function sheets(plugins: ReturnType<typeof withoutUnusedStyles>[]): Promise<string> {
  const config = await resolveConfig({ configFile: false, css: { postcss: { plugins } } }, 'build')
  const paths = globSync('src/**/*.css')
  const styles = await Promise.all(
    paths.map((path) => preprocessCSS(readFileSync(path, 'utf8'), path, config)),
  )
  return styles.map(({ code }) => code).join('\n')
}

const declaredIn = (styles: string) =>
  new Set([...styles.matchAll(/(--[\w-]+)\s*:/g)].map(([, name = '']) => name))
/** What has no other value to fall back on. */
const askedForIn = (styles: string) =>
  new Set([...styles.matchAll(/var\(\s*(--[\w-]+)\s*\)/g)].map(([, name = '']) => name))

let whole: string
let kept: string
beforeAll(async () => {
  whole = await sheets([])
  kept = await sheets([withoutUnusedStyles()])
})

test.each(Object.entries(UNUSED_PARTS))('%s is the class of %j', (name, [component, part]) => {
  const { classes } = (mantine as unknown as Record<string, { classes: Record<string, string> }>)[
    component
  ] ?? { classes: {} }
  expect(
    classes[part],
    `@mantine/core calls '${part}' of ${component} otherwise now: correct its name in scripts/build/unusedStyles.ts`,
  ).toBe(name)
  expect(
    whole,
    `${name} (${component}, ${part}) is in no sheet of the app: it need not be left out`,
  ).toContain(name)
  expect(kept, `${name} (${component}, ${part}) is still there`).not.toContain(name)
})

test.each(UNUSED_VARIABLES.map((names) => [names] as const))('%s are variables of the library', (names) => {
  expect(
    [...declaredIn(whole)].some((name) => names.test(name)),
    `@mantine/core declares no variable ${names} any more: see in scripts/build/unusedStyles.ts what took its place`,
  ).toBe(true)
})

test('no style that is kept asks for a variable that is left out', () => {
  const declared = declaredIn(kept)
  const missing = [...askedForIn(kept)].filter((name) => declaredIn(whole).has(name) && !declared.has(name))
  expect(missing, 'Of these the patterns in scripts/build/unusedStyles.ts have to spare').toEqual([])
})

test('nothing that the app itself writes is left out', () => {
  const own = globSync('src/**/*.css').map((path) => readFileSync(path, 'utf8'))
  const lost = [...declaredIn(own.join('\n'))].filter((name) => !declaredIn(kept).has(name))
  expect(lost, 'A pattern in scripts/build/unusedStyles.ts takes variables of our own').toEqual([])
})
