import { describe, expect, it } from 'vitest'
import {
  buildTestRequest,
  DOCUMENTS_PATH,
  evaluateCondition,
  FAILING_CONDITION,
  NOW,
  toIntegerValue,
  toStringValue,
} from '../testing/rules.ts'
import { compileRules } from './rules.ts'

describe('conditions', () => {
  it.each<[string, true | false | 'refused']>([
    // && and || need only the side that decides; an error on the other side is absorbed.
    [`${FAILING_CONDITION}`, 'refused'],
    [`${FAILING_CONDITION} || true`, true],
    [`true || ${FAILING_CONDITION}`, true],
    [`${FAILING_CONDITION} || false`, 'refused'],
    [`false || ${FAILING_CONDITION}`, 'refused'],
    [`${FAILING_CONDITION} && false`, false],
    [`false && ${FAILING_CONDITION}`, false],
    [`${FAILING_CONDITION} && true`, 'refused'],
    [`true && ${FAILING_CONDITION}`, 'refused'],
    [`!${FAILING_CONDITION}`, 'refused'],
    [`${FAILING_CONDITION} == ${FAILING_CONDITION}`, 'refused'],
    ['1 && true', 'refused'],
    ['1 || true', true],
    ['null || false', 'refused'],
    ['!null', 'refused'],
    ["'true'", 'refused'],
    [`true ? true : ${FAILING_CONDITION}`, true],
    [`false ? ${FAILING_CONDITION} : false`, false],
    [`${FAILING_CONDITION} ? true : true`, 'refused'],
    ['1 ? true : true', 'refused'],

    ['true || false && false', true],
    ['1 + 2 * 3 == 7', true],
    ['(1 + 2) * 3 == 9', true],
    ['10 - 2 - 3 == 5', true],
    ['1 + 1 < 3 == true', true],
    ['!false && false', false],
    ['!(false && false)', true],
    ['1 in [1] == true', true],
    ['false ? false : true ? true : false', true],
    ['1 + 1 is int', true],

    ['9223372036854775807 + 1 > 0', 'refused'],
    ['2 >= 2', true],
    ['1 <= 0', false],
    ['resource.data.ratio == resource.data.ratio', true],
    ['resource.data.one == 1', true],
    ['resource.data.ratio < 2', 'refused'],
    ["1 + 'a' == '1a'", 'refused'],

    ["1 == '1'", false],
    ["1 != '1'", true],
    ['null == null', true],
    ['null == 0', false],
    ['[1, 2] == [1, 2]', true],
    ['[1, 2] == [2, 1]', false],
    ["{'a': 1, 'b': [null]} == {'b': [null], 'a': 1}", true],
    ["{'a': 1} == {'a': 1, 'b': 2}", false],
    ["{'a': null} == {'b': null}", false],
    ["'a' < 'b'", true],
    ["'Z' < 'a'", true],
    ["'\u{ff5e}' < '\u{1f600}'", true],
    ["'a' < 1", 'refused'],
    ['null < 1', 'refused'],
    ['true < false', 'refused'],

    ["'a' + 'b' == \"ab\"", true],
    ["'it\\'s' == \"it's\"", true],
    ["'Aïssatou'.size() == 8", true],
    ["'\u{1f600}'.size() == 1", true],
    ["' a b '.trim() == 'a b'", true],
    ["'a,b,c'.split(',') == ['a', 'b', 'c']", true],
    ["'a.b'.split('[.]')[1] == 'b'", true],
    ["'a-b-c'.replace('-', '$1') == 'a$1b$1c'", true],
    ["'hello'[9] == ''", 'refused'],
    ["'abc'.matches('b')", false],
    ["'abc'.matches('.b.')", true],
    ["'abc'.matches('^abc$')", true],
    ["'a\\nb'.matches('a.b')", false],
    ["'a\\rb'.matches('a.b')", true],
    ["'?('.matches('[(?]+')", true],
    ["'+33123456789'.matches('[+][1-9][0-9]{7,14}')", true],
    ["'+33123456789'.matches('\\\\+\\\\d+')", true],
    ["'a|b'.matches('a|b')", false],
    ["'\u00a0'.matches('\\\\s')", false],
    ["' '.matches('[\\\\s]')", true],
    ["'(a&&b)'.matches('[(&)ab]+')", true],
    ["'\u202e'.matches('[\\\\x{202A}-\\\\x{202E}]')", true],
    ["'a'.matches('[^\\\\x{0}-\\\\x{1F}]\\\\x{62}?')", true],
    ['null.size() == 0', 'refused'],

    ['1 in [1, 2]', true],
    ['3 in [1, 2]', false],
    ["'a' in 'abc'", 'refused'],
    ['1 in null', 'refused'],
    ['[1, 2][1] == 2', true],
    ['[1, 2][2] == 2', 'refused'],
    ['[1, 2][1 - 2] == 2', 'refused'],
    ['[1, [2]].size() == 2', true],
    ['[].size() == 0', true],
    ["['a', 'b'].hasOnly(['a', 'c'])", false],
    ["['a', 'b'].hasOnly(['a', 'b', 'c'])", true],
    ["['a', 'a', 'b'].hasOnly(['a', 'b', 'b'])", true],
    ["['a', 'b'].hasAll(['a'])", true],
    ["['a', 'b'].hasAll(['a', 'c'])", false],
    [`[1, 1 - 'a'].size() == 2`, 'refused'],

    ["{'a': 1}.a == 1", true],
    ["{'a': 1}['a'] == 1", true],
    ["{'a': 1}.b == 1", 'refused'],
    ["{'a': 1}['b'] == null", 'refused'],
    ["'a' in {'a': 1}", true],
    ["'b' in {'a': 1}", false],
    ["1 in {'a': 1}", 'refused'],
    ["{'a': 1, 'b': 2}.keys() == ['a', 'b']", true],
    ["{'a': 1}.get('b', 7) == 7", true],
    ["{'a': 1}.get('a', 7) == 1", true],
    ["{'a': 1, 'b': 1, 'c': 1}.diff({'b': 1, 'c': 2, 'd': 1}).affectedKeys() == ['a', 'c', 'd']", true],
    ["{'a': 1}.diff(null).affectedKeys().size() == 0", 'refused'],

    ['resource.data.nothing == null', true],
    ['resource.data.flag', true],
    ['resource.data.count == 3 && resource.data.count is int', true],
    ["resource.data.name is string && resource.data.name == 'Aïssatou'", true],
    ['resource.data.nothing is string', false],
    ['resource.data.at is timestamp', true],
    ['resource.data.tags is list && resource.data.tags.size() == 3', true],
    ['resource.data.none == []', true],
    ["resource.data.nested.b.c == 'deep'", true],
    ["resource.data.nested['b']['c'] == 'deep'", true],
    ['resource.data.ref is path', true],
    ['resource.data.ref == /databases/(default)/documents/users/u1', true],
    ['resource.data.missing == null', 'refused'],
    ['resource.data.missing is string', 'refused'],
    ['resource.data.nothing.deeper == null', 'refused'],
    ["resource.id == 't1' && resource.__name__ == request.path", true],

    ['resource.data.at == request.time', true],
    ['resource.data.later > request.time', true],
    ["resource.data.at + duration.value(1, 'h') < resource.data.later", true],
    ["request.time - duration.value(2, 'd') == timestamp.value(1763469296789)", false],
    [`request.time == timestamp.value(${NOW})`, true],
    [`request.time.toMillis() == ${NOW}`, true],
    ['request.time.year() == 2026 && request.time.month() == 11 && request.time.day() == 20', true],
    ["int('2026') == 2026 && int('08') == 8", true],
    ["int('x') == 1", 'refused'],
    ["duration.value(1, 'w') == duration.value(7, 'd')", true],
    ["duration.value(1, 'month') is duration", 'refused'],
    ["request.time < duration.value(1, 'h')", 'refused'],

    ["request.auth.uid == 'u1'", true],
    ["request.auth.token.email == 'a@example.org'", true],
    ['request.auth.token.level == 2', true],
    ["request.auth.token.roles == ['x']", true],
    ['request.auth.token.firebase.tenant == null', true],
    ["request.auth.token.get('phone_number', null) == null", true],
    ["request.auth.token.phone_number == ''", 'refused'],
    ["request.method == 'get'", true],
    ['request.path == /databases/$(database)/documents/things/$(id)', true],
    ['request.resource == null', true],
    ['request.resource.data.a == 1', 'refused'],
    ["id == 't1' && database == '(default)'", true],
    ["/a/$(id + '/x') is path", 'refused'],
    ['/a/$(1) is path', 'refused'],
  ])('evaluates the condition %s to %s', (condition, expected) => {
    expect(evaluateCondition(condition)).toBe(expected)
  })

  it('a condition treats a missing user as null', () => {
    expect(evaluateCondition('request.auth == null', { auth: null })).toBe(true)
    expect(evaluateCondition("request.auth.uid == 'u1'", { auth: null })).toBe('refused')
  })

  it('a condition treats a missing document as null', () => {
    expect(evaluateCondition('resource == null', { resource: null })).toBe(true)
    expect(evaluateCondition("resource.data.name == 'a'", { resource: null })).toBe('refused')
  })

  it('a condition compares the stored document with the future one', () => {
    const stored = { name: toStringValue('a'), count: toIntegerValue(3) }
    const resource = { id: 't1', fields: stored }
    const requestResource = { id: 't1', fields: { ...stored, count: toIntegerValue(4) } }
    expect(
      evaluateCondition("request.resource.data.diff(resource.data).affectedKeys() == ['count']", {
        method: 'update',
        resource,
        requestResource,
      }),
    ).toBe(true)
  })
})

describe('functions', () => {
  it.each<[string, string, true | false | 'refused']>([
    ['function f() { return true; }', 'f()', true],
    ['function f(a, b) { return a > b; }', 'f(2, 1)', true],
    ['function f(a) { let b = a + 1; let c = b * 2; return c == 6; }', 'f(2)', true],
    ['function f() { return g(); } function g() { return true; }', 'f()', true],
    ["function f() { return database == '(default)'; }", 'f()', true],
    ["function f() { return request.auth.uid == 'u1'; }", 'f()', true],
    // An error matters only if its value is used.
    ['function f(a) { return true; }', 'f(1 - null)', true],
    ['function f(a) { return a || true; }', `f(${FAILING_CONDITION})`, true],
    ['function f() { let broken = 1 - null; return true; }', 'f()', true],
    ['function f() { let broken = 1 - null; return broken == 1; }', 'f()', 'refused'],
    ['function f(data) { return data.count == 3; }', 'f(resource.data)', true],
  ])('with the functions %s, the condition %s evaluates to %s', (functions, condition, expected) => {
    expect(evaluateCondition(condition, {}, functions)).toBe(expected)
  })

  it('a rules function resolves names in the scope where it is declared', () => {
    const rules = compileRules(
      `rules_version = '2';
      function isSignedIn() { return request.auth != null; }
      service cloud.firestore {
        function is(a, b) { return isSignedIn() && a == b; }
        match /databases/{database}/documents/rooms/{room} {
          function isRoom(name) { return is(room, name); }
          match /messages/{message} { allow get: if isRoom('blue'); }
        }
      }`.replaceAll('is(', 'same('),
      'cloud.firestore',
    )
    const allows = (room: string) =>
      rules.allows(buildTestRequest({ path: `${DOCUMENTS_PATH}/rooms/${room}/messages/m` }))
    expect([allows('blue'), allows('red')]).toEqual([true, false])
  })
})
