import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ERROR_NAME_PATTERN, findPlace, nameError, PLACE_PATTERN } from './errorReport.ts'

describe('an error report', () => {
  test.each([
    [new TypeError('no account of awa bah'), 'TypeError'],
    [new DOMException('Failed to read awa', 'QuotaExceededError'), 'QuotaExceededError'],
    [Object.assign(new Error('awa'), { name: 'awa bah' }), 'Error'],
    [Object.assign(new Error('network'), { failure: { kind: 'network' } }), 'failure network'],
    [Object.assign(new Error(''), { failure: { kind: 'awa bah', message: 'awa' } }), 'Error'],
    [new Error('Minified React error #418; visit https://react.dev/errors/418?args[]=Awa'), 'React 418'],
    [{ type: 'xstate.done.actor.0.session.entering' }, 'xstate.done.actor.0.session.entering'],
    [{ type: 'awa bah' }, 'thrown object'],
    ['awa bah', 'thrown string'],
    [null, 'thrown object'],
    [undefined, 'thrown undefined'],
  ])('an error report names the error %o by its kind', (thrown, name) => {
    expect(nameError(thrown)).toBe(name)
  })

  test('an error report contains no word of a message', () => {
    fc.assert(
      fc.property(fc.string(), (message) => {
        const error = new RangeError(message)
        expect(nameError(error)).toMatch(/^(RangeError|React \d{1,3})$/)
        expect(nameError(message)).toBe('thrown string')
      }),
    )
  })

  test('the function accepts the name and place of an error report', () => {
    fc.assert(
      fc.property(fc.anything(), fc.string(), (thrown, path) => {
        expect(nameError(thrown)).toMatch(ERROR_NAME_PATTERN)
        expect(findPlace(`${path}/assets/Home-B3xk2_a1.js${path}`)).toMatch(PLACE_PATTERN)
      }),
    )
  })

  test.each([
    ['at Xa (https://passerelle.example/assets/Home-B3xk2_a1.js:1:200)', 'Home:1:200'],
    ['TypeError: Failed to fetch: https://passerelle.example/assets/Pages-Ab3xk2_a.js', 'Pages'],
    ['TypeError: nothing at /assets/awa.js', ''],
    ['at evaluate (https://passerelle.example/?name=Awa:1:2)', ''],
    ['', ''],
  ])('an error report finds the place in the stack %j', (stack, place) => {
    expect(findPlace(stack)).toBe(place)
  })
})
