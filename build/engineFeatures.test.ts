import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { ENGINES } from '../domain/errors/engines.ts'
import {
  findMissingPageFeatures,
  findMissingScriptFeatures,
  findMissingStyleFeatures,
} from './engineFeatures.ts'

test('finds built-ins that a supported engine lacks', () => {
  expect(findMissingScriptFeatures('const { promise } = Promise.withResolvers()')).toEqual([
    'Promise.withResolvers',
  ])
  expect(findMissingScriptFeatures('name.toWellFormed(); list.toSorted(compare)')).toEqual([
    '.toSorted()',
    '.toWellFormed()',
  ])
  expect(findMissingScriptFeatures('URL.canParse(address); new Segmenter()')).toEqual([
    'Segmenter',
    'URL.canParse',
  ])
  expect(findMissingScriptFeatures('navigator.share(link)')).toEqual(['Navigator.share'])
})

test('ignores built-ins that every supported engine has', () => {
  expect(
    findMissingScriptFeatures('list.at(-1); structuredClone(list); Object.hasOwn(a, b); list.findLast(f)'),
  ).toEqual([])
  expect(findMissingScriptFeatures('list.map(f).filter(g)')).toEqual([])
})

test('finds syntax that prevents an engine from running the whole file', () => {
  expect(findMissingScriptFeatures('class A { static { f() } }')).toEqual(['static block'])
  expect(findMissingScriptFeatures('/(?<=a)b/.test(text)')).toEqual(['lookbehind'])
  expect(findMissingScriptFeatures('/[a--b]/v.test(text)')).toEqual(['flag v'])
})

test('finds styles that a supported engine lacks', () => {
  expect(findMissingStyleFeatures('.a:has(b){text-wrap:balance}')).toEqual([
    ':has',
    'text-wrap',
    'text-wrap:balance',
  ])
  expect(findMissingStyleFeatures('.a{min-height:1lh;color:light-dark(red,blue)}')).toEqual([
    'lh',
    'light-dark',
  ])
  expect(findMissingStyleFeatures('.a{min-height:100dvh;color:#fff;width:min(1px,2px)}')).toEqual([])
  expect(findMissingStyleFeatures('@starting-style{.a{color:red}}')).toEqual(['@starting-style'])
})

test('ignores a CSS property with a -webkit- fallback', () => {
  expect(findMissingStyleFeatures('.a{user-select:none}')).toContain('user-select')
  expect(findMissingStyleFeatures('.a{-webkit-user-select:none;user-select:none}')).toEqual([])
})

test('finds missing features in the scripts and styles of an HTML page', () => {
  expect(findMissingPageFeatures('<style>.a{height:1lh}</style><script>a.toSorted()</script>')).toEqual([
    '.toSorted()',
    'lh',
  ])
})

test('the README names the oldest supported version of each engine', () => {
  const { chrome, firefox, safari } = ENGINES
  expect(readFileSync('README.md', 'utf8')).toContain(
    `Safari ${safari}, Chrome ${chrome}, Firefox ${firefox}`,
  )
})
