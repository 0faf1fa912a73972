import fc from 'fast-check'
import { expect, test } from 'vitest'
import { pictureName, type Shown, seenIn, type View, WINDOWS } from './data.ts'

const screens: readonly Shown[] = [
  { name: 'lamp-off', at: { lamp: 'off', door: 'open' } },
  { name: 'lamp-on', at: { lamp: 'on.warm', door: null } },
  { name: 'lamp-dusty', at: { lamp: 'off', door: null } },
  { name: 'letter', at: { lamp: null, door: null } },
]
const unseen = {
  lamp: {
    off: 'At night `letter` tells it, and `lamp-off` too, twice: `letter`.',
    broken: 'A letter tells it: `letter`; see `dark`, and lamp-on.',
    worn: 'Nobody looks.',
  },
}
const data = { screens, unseen }

test.each([
  ['lamp', 'on.warm', ['lamp-on'], null],
  ['lamp', 'on', [], null],
  ['door', 'open', ['lamp-off'], null],
  ['door', 'off', [], null],
  ['bell', 'off', [], null],
  ['lamp', 'broken', ['letter'], unseen.lamp.broken],
  ['lamp', 'worn', [], unseen.lamp.worn],
  ['lamp', 'off', ['lamp-off', 'lamp-dusty', 'letter'], unseen.lamp.off],
])('the %s is seen %s in these screens, each once: %j', (machine, state, names, reason) => {
  expect(seenIn(data, machine, state)).toEqual({ screens: names, reason })
})

const viewOf: fc.Arbitrary<View> = fc.record({
  window: fc.constantFrom('phone', 'desk'),
  language: fc.constantFrom('fr', 'en'),
  scheme: fc.constantFrom('light', 'dark'),
})
/** Of the words of the views too: they must not be taken for a part of them. */
const screenName = fc
  .array(fc.constantFrom('receipt', 'late', 'phone', 'desk', 'fr', 'en', 'light', 'dark'), {
    minLength: 1,
    maxLength: 5,
  })
  .map((words) => words.join('-'))

test('no two views have the same picture', () => {
  const views = Object.keys(WINDOWS).flatMap((window) =>
    ['fr', 'en'].flatMap((language) =>
      ['light', 'dark'].map((scheme) => ({ window, language, scheme }) as View),
    ),
  )
  expect(new Set(views.map((view) => pictureName('receipt', view))).size).toBe(8)
  fc.assert(
    fc.property(screenName, viewOf, screenName, viewOf, (one, view, other, otherView) => {
      const isSame = one === other && JSON.stringify(view) === JSON.stringify(otherView)
      expect(pictureName(one, view) === pictureName(other, otherView)).toBe(isSame)
    }),
  )
})

test('a picture is a file that the page can ask for', () => {
  expect(pictureName('receipt-late', { window: 'phone', language: 'fr', scheme: 'dark' })).toBe(
    'receipt-late-phone-fr-dark.jpg',
  )
})
