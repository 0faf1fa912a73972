import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type FormValue, parseForm, toCanonicalText } from './form.ts'

test.each<[string, unknown]>([
  ['', {}],
  ['a=1&b=x%20y+z', { a: '1', b: 'x y z' }],
  ['a[b][c]=1&a[b][d]=2', { a: { b: { c: '1', d: '2' } } }],
  ['a%5Bb%5D=1', { a: { b: '1' } }],
  ['expand[]=x&expand[]=y', { expand: ['x', 'y'] }],
  ['items[0][id]=x&items[1][id]=y', { items: [{ id: 'x' }, { id: 'y' }] }],
  ['items[1]=x', { items: { 1: 'x' } }],
  ['a=&b', { a: '', b: '' }],
])('parses the form %s as %o', (encoded, value) => {
  expect(JSON.parse(JSON.stringify(parseForm(encoded)))).toEqual(value)
})

test('parses names of built-in properties like any other name', () => {
  const form = parseForm('__proto__[polluted]=1&metadata[constructor]=x')
  expect(Object.keys(form)).toEqual(['__proto__', 'metadata'])
  expect(Object.keys(form.metadata ?? {})).toEqual(['constructor'])
  expect(({} as Record<string, unknown>).polluted).toBeUndefined()
})

test('forms have the same canonical text if their parameters are equal', () => {
  const params = fc.dictionary(fc.stringMatching(/^[a-z_]{1,8}$/), fc.string({ maxLength: 8 }))
  fc.assert(
    fc.property(params, params, (one, other) => {
      const toText = (value: Record<string, string>) => toCanonicalText(value as FormValue)
      const reversed = Object.fromEntries(Object.entries(one).reverse())
      expect(toText(reversed)).toBe(toText(one))
      const isSame =
        JSON.stringify(Object.entries(one).sort()) === JSON.stringify(Object.entries(other).sort())
      expect(toText(one) === toText(other)).toBe(isSame)
    }),
  )
})
