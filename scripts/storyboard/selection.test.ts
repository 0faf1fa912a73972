import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatSelection, parseSelection, type Selection, VIEW_CHOICES } from './selection.ts'

const view = fc.record({
  window: fc.constantFrom(...VIEW_CHOICES.window),
  language: fc.constantFrom(...VIEW_CHOICES.language),
  scheme: fc.constantFrom(...VIEW_CHOICES.scheme),
  text: fc.constantFrom(...VIEW_CHOICES.text),
  network: fc.constantFrom(...VIEW_CHOICES.network),
})
const name = fc.stringMatching(/^[a-zA-Z]+([.-][a-zA-Z]+)*$/)
const place: fc.Arbitrary<Selection> = fc.record({
  machine: name,
  state: fc.option(name),
  scene: fc.option(name),
  view,
})

test('formatting a selection as a URL and parsing preserves it', () => {
  fc.assert(
    fc.property(place, (one) => {
      expect(parseSelection(formatSelection(one))).toEqual(one)
    }),
  )
})

test('an unknown choice in the URL is replaced by the default', () => {
  expect(parseSelection('#push?language=de&text=37')).toEqual(parseSelection('#push'))
})
