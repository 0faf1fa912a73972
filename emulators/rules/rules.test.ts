import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { WireFields, WireValue } from '../wire.ts'
import type { RulesRequest } from './request.ts'
import { compileRules, RulesSyntaxError } from './rules.ts'

const DOCUMENTS = '/databases/(default)/documents'
const NOW = Date.UTC(2026, 10, 20, 12, 34, 56, 789)

const text = (stringValue: string): WireValue => ({ stringValue })
const whole = (integerValue: number): WireValue => ({ integerValue: String(integerValue) })
const mapOf = (fields: WireFields): WireValue => ({ mapValue: { fields } })

const FIELDS: WireFields = {
  nothing: { nullValue: null },
  flag: { booleanValue: true },
  count: whole(3),
  ratio: { doubleValue: 1.5 },
  notANumber: { doubleValue: 'NaN' },
  name: text('Aïssatou'),
  at: { timestampValue: '2026-11-20T12:34:56.789Z' },
  later: { timestampValue: '2026-11-20T13:34:56.789123456+00:00' },
  bytes: { bytesValue: 'AQID' },
  place: { geoPointValue: { latitude: 9.5, longitude: -13.7 } },
  tags: { arrayValue: { values: [text('a'), text('b'), text('a')] } },
  none: { arrayValue: {} },
  nested: mapOf({ a: whole(1), b: mapOf({ c: text('deep') }) }),
  ref: { referenceValue: 'projects/demo/databases/(default)/documents/users/u1' },
}

const request = (overrides: Partial<RulesRequest> = {}): RulesRequest => ({
  method: 'get',
  path: `${DOCUMENTS}/things/t1`,
  auth: { uid: 'u1', token: { email: 'a@example.org', level: 2, roles: ['x'], firebase: { tenant: null } } },
  time: NOW,
  resource: { id: 't1', fields: FIELDS },
  requestResource: null,
  read: () => null,
  ...overrides,
})

const rulesWith = (condition: string, functions = '') => `
rules_version = '2';
service cloud.firestore {
  match /databases/{database}/documents {
    ${functions}
    match /things/{id} { allow read, write: if ${condition}; }
  }
}`

/** What a condition comes to: a refusal is an error, a value that is no bool, or an open value. */
function outcome(condition: string, overrides?: Partial<RulesRequest>, functions?: string) {
  const holds = (each: string) =>
    compileRules(rulesWith(each, functions), 'cloud.firestore').allows(request(overrides))
  return holds(condition) ? true : holds(`!(${condition})`) ? false : 'refused'
}

const ERROR = '(1 / 0 == 1)'

describe('conditions', () => {
  it.each<[string, true | false | 'refused']>([
    // && and || need only the side that decides; an error on the other side is absorbed.
    [`${ERROR}`, 'refused'],
    [`${ERROR} || true`, true],
    [`true || ${ERROR}`, true],
    [`${ERROR} || false`, 'refused'],
    [`false || ${ERROR}`, 'refused'],
    [`${ERROR} && false`, false],
    [`false && ${ERROR}`, false],
    [`${ERROR} && true`, 'refused'],
    [`true && ${ERROR}`, 'refused'],
    [`!${ERROR}`, 'refused'],
    [`${ERROR} == ${ERROR}`, 'refused'],
    ['1 && true', 'refused'],
    ['1 || true', true],
    ['null || false', 'refused'],
    ['!null', 'refused'],
    ["'true'", 'refused'],
    [`true ? true : ${ERROR}`, true],
    [`false ? ${ERROR} : false`, false],
    [`${ERROR} ? true : true`, 'refused'],
    ['1 ? true : true', 'refused'],

    // precedence and associativity
    ['true || false && false', true],
    ['1 + 2 * 3 == 7', true],
    ['(1 + 2) * 3 == 9', true],
    ['10 - 2 - 3 == 5', true],
    ['100 / 10 / 5 == 2', true],
    ['1 + 1 < 3 == true', true],
    ['!false && false', false],
    ['!(false && false)', true],
    ['-2 + 3 == 1', true],
    ['- -2 == 2', true],
    ['1 in [1] == true', true],
    ['false ? false : true ? true : false', true],
    ['1 + 1 is int', true],

    // numbers
    ['7 / 2 == 3', true],
    ['-7 / 2 == -3', true],
    ['7.0 / 2 == 3.5', true],
    ['7 % 4 == 3', true],
    ['7 % 0 == 0', 'refused'],
    ['7.5 % 2 == 1.5', 'refused'],
    ['1 == 1.0', true],
    ['9007199254740993 == 9007199254740992.0', false],
    ['9223372036854775807 + 1 > 0', 'refused'],
    ['1e2 == 100', true],
    ['1 < 1.5', true],
    ['2 >= 2', true],
    ['1 <= 0', false],
    ['resource.data.notANumber == resource.data.notANumber', false],
    ['resource.data.notANumber < 1', false],
    ["1 + 'a' == '1a'", 'refused'],
    ["int('12') == 12", true],
    ['int(1.9) == 1', true],
    ["int('1.9') == 1", 'refused'],
    ["float('1.5') == 1.5", true],
    ["float('') == 0.0", 'refused'],
    ["bool('true')", true],
    ["bool('yes')", 'refused'],
    ["string(12) == '12'", true],
    ["string(null) == 'null'", true],

    // equality and order
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

    // strings
    ["'a' + 'b' == \"ab\"", true],
    ["'it\\'s' == \"it's\"", true],
    ["'Aïssatou'.size() == 8", true],
    ["'\u{1f600}'.size() == 1", true],
    ["' a b '.trim() == 'a b'", true],
    ["'AbC'.lower() == 'abc' && 'AbC'.upper() == 'ABC'", true],
    ["'a,b,c'.split(',') == ['a', 'b', 'c']", true],
    ["'a.b'.split('[.]')[1] == 'b'", true],
    ["'a-b-c'.replace('-', '$1') == 'a$1b$1c'", true],
    ["'hello'[1] == 'e'", true],
    ["'hello'[1:3] == 'el'", true],
    ["'hello'[9] == ''", 'refused'],
    ["'hello'[3:1] == ''", 'refused'],
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
    ["1.5.matches('1')", 'refused'],
    ['null.size() == 0', 'refused'],

    // lists and sets
    ['1 in [1, 2]', true],
    ['1.0 in [1, 2]', true],
    ['3 in [1, 2]', false],
    ["'a' in 'abc'", 'refused'],
    ['1 in null', 'refused'],
    ['[1, 2][1] == 2', true],
    ['[1, 2][2] == 2', 'refused'],
    ['[1, 2][-1] == 2', 'refused'],
    ['[1, 2, 3][0:2] == [1, 2]', true],
    ['[1, [2]].size() == 2', true],
    ['[].size() == 0', true],
    ["['a', 'b'].hasOnly(['a', 'c'])", false],
    ["['a', 'b'].hasOnly(['a', 'b', 'c'])", true],
    ["['a', 'a', 'b'].hasOnly(['a', 'b', 'b'])", true],
    ["['a', 'b'].hasAll(['a'])", true],
    ["['a', 'b'].hasAll(['a', 'c'])", false],
    ["['a', 'b'].hasAny(['c', 'b'])", true],
    ["['a', 'b'].hasAny(['c'])", false],
    ["['a'].hasAny('a')", 'refused'],
    ['[1].concat([2]) == [1, 2]', true],
    ['[1, 2, 1].removeAll([1]) == [2]', true],
    ["['a', 'b'].join('-') == 'a-b'", true],
    ["['a', 1].join('-') == 'a-1'", 'refused'],
    ['[1, 2, 1].toSet().size() == 2', true],
    ['[1, 2].toSet() == [2, 1].toSet()', true],
    ['[1].toSet() == [1]', false],
    ['[1].toSet().union([2].toSet()) == [2, 1].toSet()', true],
    ['[1, 2].toSet().intersection([2, 3].toSet()) == [2].toSet()', true],
    ['[1, 2].toSet().difference([2]).size() == 1', 'refused'],
    ['[1, 2].toSet().difference([2].toSet()) == [1].toSet()', true],
    ['2 in [1, 2].toSet()', true],
    [`[1, 1 / 0].size() == 2`, 'refused'],

    // maps
    ["{'a': 1}.a == 1", true],
    ["{'a': 1}['a'] == 1", true],
    ["{'a': 1}.b == 1", 'refused'],
    ["{'a': 1}['b'] == null", 'refused'],
    ["{'a': 1}.size() == 1", true],
    ["'a' in {'a': 1}", true],
    ["'b' in {'a': 1}", false],
    ["1 in {'a': 1}", 'refused'],
    ["{'a': 1, 'b': 2}.keys() == ['a', 'b']", true],
    ["{'a': 1, 'b': 2}.values() == [1, 2]", true],
    ["{'a': 1}.get('b', 7) == 7", true],
    ["{'a': 1}.get('a', 7) == 1", true],
    ["{'a': {'b': 2}}.get(['a', 'b'], 7) == 2", true],
    ["{'a': {'b': 2}}.get(['a', 'c'], 7) == 7", true],
    [
      "{'a': 1, 'b': 1, 'c': 1}.diff({'b': 1, 'c': 2, 'd': 1}).affectedKeys() == ['a', 'c', 'd'].toSet()",
      true,
    ],
    ["{'a': 1, 'b': 1, 'c': 1}.diff({'b': 1, 'c': 2, 'd': 1}).changedKeys() == ['c'].toSet()", true],
    ["{'a': 1, 'b': 1, 'c': 1}.diff({'b': 1, 'c': 2, 'd': 1}).addedKeys() == ['a'].toSet()", true],
    ["{'a': 1, 'b': 1, 'c': 1}.diff({'b': 1, 'c': 2, 'd': 1}).removedKeys() == ['d'].toSet()", true],
    ["{'a': 1, 'b': 1, 'c': 1}.diff({'b': 1, 'c': 2, 'd': 1}).unchangedKeys() == ['b'].toSet()", true],
    ["{'a': 1}.diff({'a': 1.0}).affectedKeys().size() == 0", true],
    ["{'a': 1}.diff(null).affectedKeys().size() == 0", 'refused'],

    // stored values
    ['resource.data.nothing == null', true],
    ['resource.data.flag', true],
    ['resource.data.count == 3 && resource.data.count is int', true],
    ['resource.data.ratio is float && resource.data.ratio is number', true],
    ['resource.data.count is number && !(resource.data.count is float)', true],
    ["resource.data.name is string && resource.data.name == 'Aïssatou'", true],
    ['resource.data.nothing is string', false],
    ['resource.data.at is timestamp', true],
    ['resource.data.bytes is bytes && resource.data.bytes.size() == 3', true],
    ['resource.data.place is latlng && resource.data.place == resource.data.place', true],
    ['resource.data.tags is list && resource.data.tags.size() == 3', true],
    ['resource.data.none == []', true],
    ["resource.data.nested.b.c == 'deep'", true],
    ["resource.data.nested['b']['c'] == 'deep'", true],
    ['resource.data.ref is path', true],
    ['resource.data.ref == /databases/(default)/documents/users/u1', true],
    ["resource.data.ref[4] == 'u1'", true],
    ['resource.data.missing == null', 'refused'],
    ['resource.data.missing is string', 'refused'],
    ['resource.data.nothing.deeper == null', 'refused'],
    ["resource.id == 't1' && resource.__name__ == request.path", true],
    ['[1].toSet() is set && resource.data is map', true],
    ["{'a': 1}.diff({'a': 2}) is map_diff", true],

    // time
    ['resource.data.at == request.time', true],
    ['resource.data.later > request.time', true],
    ["resource.data.later - resource.data.at > duration.value(1, 'h')", true],
    ["resource.data.at + duration.value(1, 'h') < resource.data.later", true],
    ["request.time - duration.value(2, 'd') == timestamp.value(1763469296789)", false],
    [`request.time == timestamp.value(${NOW})`, true],
    [`request.time.toMillis() == ${NOW}`, true],
    ['request.time.year() == 2026 && request.time.month() == 11 && request.time.day() == 20', true],
    ['request.time.hours() == 12 && request.time.minutes() == 34 && request.time.seconds() == 56', true],
    ['request.time.nanos() == 789000000', true],
    ['request.time.dayOfWeek() == 5 && request.time.dayOfYear() == 324', true],
    ['request.time.date() == timestamp.date(2026, 11, 20)', true],
    ['request.time.time() < duration.time(12, 34, 57, 0)', true],
    ['timestamp.value(-1).year() == 1969 && timestamp.value(-1).nanos() == 999000000', true],
    ["duration.value(90, 'm').seconds() == 5400", true],
    ["duration.value(1, 'w') == duration.value(7, 'd')", true],
    ["duration.value(1, 'month') is duration", 'refused'],
    ["request.time < duration.value(1, 'h')", 'refused'],

    // the request
    ["request.auth.uid == 'u1'", true],
    ["request.auth.token.email == 'a@example.org'", true],
    ['request.auth.token.level == 2', true],
    ["request.auth.token.roles == ['x']", true],
    ['request.auth.token.firebase.tenant == null', true],
    ["request.auth.token.get('phone_number', null) == null", true],
    ["request.auth.token.phone_number == ''", 'refused'],
    ["request.method == 'get'", true],
    ['request.path == /databases/$(database)/documents/things/$(id)', true],
    ["request.path == path('/databases/(default)/documents/things/t1')", true],
    ["string(request.path) == '/databases/(default)/documents/things/t1'", true],
    ['request.resource == null', true],
    ['request.resource.data.a == 1', 'refused'],
    ['request.query.limit < 10', 'refused'],
    ["id == 't1' && database == '(default)'", true],
    ["/a/$(id + '/x') is path", 'refused'],
    ['/a/$(1) is path', 'refused'],
  ])('%s is %s', (condition, expected) => {
    expect(outcome(condition)).toBe(expected)
  })

  it('sees nobody as null', () => {
    expect(outcome('request.auth == null', { auth: null })).toBe(true)
    expect(outcome("request.auth.uid == 'u1'", { auth: null })).toBe('refused')
  })

  it('sees a document that does not exist as null', () => {
    expect(outcome('resource == null', { resource: null })).toBe(true)
    expect(outcome("resource.data.name == 'a'", { resource: null })).toBe('refused')
  })

  it('sees what a write would store', () => {
    const stored = { name: text('a'), count: whole(3) }
    const resource = { id: 't1', fields: stored }
    const requestResource = { id: 't1', fields: { ...stored, count: whole(4) } }
    expect(
      outcome("request.resource.data.diff(resource.data).affectedKeys() == ['count'].toSet()", {
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
    // an error is a value until somebody needs it
    ['function f(a) { return true; }', 'f(1 / 0)', true],
    ['function f(a) { return a || true; }', `f(${ERROR})`, true],
    ['function f() { let broken = 1 / 0; return true; }', 'f()', true],
    ['function f() { let broken = 1 / 0; return broken == 1; }', 'f()', 'refused'],
    ['function f(data) { return data.count == 3; }', 'f(resource.data)', true],
  ])('%s: %s is %s', (functions, condition, expected) => {
    expect(outcome(condition, {}, functions)).toBe(expected)
  })

  it('close over the place where they are declared', () => {
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
    const allows = (room: string) => rules.allows(request({ path: `${DOCUMENTS}/rooms/${room}/messages/m` }))
    expect([allows('blue'), allows('red')]).toEqual([true, false])
  })
})

describe('matches', () => {
  const rules = (body: string) =>
    compileRules(
      `rules_version = '2'; service cloud.firestore { match /databases/{database}/documents { ${body} } }`,
      'cloud.firestore',
    )
  const allowed = (body: string, path: string, method: RulesRequest['method'] = 'get') =>
    rules(body).allows(request({ path: `${DOCUMENTS}${path}`, method }))

  it.each<[string, string, boolean]>([
    ['match /a/{id} { allow get; }', '/a/1', true],
    ['match /a/{id} { allow get; }', '/b/1', false],
    ['match /a/{id} { allow get; }', '/a/1/b/2', false],
    ['match /a/{id} { match /b/{other} { allow get; } }', '/a/1/b/2', true],
    ['match /a/{id} { match /b/{other} { allow get; } }', '/a/1', false],
    ["match /a/{id} { match /b/{other} { allow get: if id == '1' && other == '2'; } }", '/a/1/b/2', true],
    ['match /a/one { allow get; }', '/a/one', true],
    ['match /a/one { allow get; }', '/a/two', false],
    ['match /{all=**} { allow get; }', '/a/1/b/2', true],
    ['match /a/{rest=**} { allow get; }', '/a/1/b/2', true],
    ['match /a/{rest=**} { allow get; }', '/a', true],
    ['match /a/{rest=**} { allow get; }', '/b/1', false],
    ["match /a/{rest=**} { allow get: if rest == path('1/b/2'); }", '/a/1/b/2', true],
    ['match /{any=**}/b/{id} { allow get; }', '/a/1/b/2', true],
    ['match /{any=**}/b/{id} { allow get; }', '/b/2', true],
    ['match /{any=**}/b/{id} { allow get; }', '/b/2/c/3', false],
    ['match /{any=**} { match /b/{id} { allow get; } }', '/a/1/b/2', true],
    // one that allows is enough
    ['match /a/{id} { allow get: if false; } match /{all=**} { allow get; }', '/a/1', true],
    ['match /a/{id} { allow get: if 1 / 0 == 1; allow get; }', '/a/1', true],
    ['match /a/{id} { }', '/a/1', false],
  ])('%s on %s: %s', (body, path, expected) => {
    expect(allowed(body, path)).toBe(expected)
  })

  it.each([
    ['read', ['get', 'list']],
    ['write', ['create', 'update', 'delete']],
    ['get', ['get']],
    ['list', ['list']],
    ['create', ['create']],
    ['update', ['update']],
    ['delete', ['delete']],
    ['get, write', ['get', 'create', 'update', 'delete']],
  ] as const)('allow %s covers %j', (methods, expected) => {
    const all = ['get', 'list', 'create', 'update', 'delete'] as const
    const path = (method: string) => (method === 'list' ? '/a' : '/a/1')
    const body = `match /a/{id} { allow ${methods}; }`
    expect(all.filter((method) => allowed(body, path(method), method))).toEqual(expected)
  })
})

describe('other documents', () => {
  const USER = `${DOCUMENTS}/users/u1`
  const read = (path: string, after: boolean) => (path === USER ? { age: whole(after ? 2 : 1) } : null)
  const user = '/databases/$(database)/documents/users/$(request.auth.uid)'
  const nobody = '/databases/$(database)/documents/users/nobody'

  it.each<[string, true | false | 'refused']>([
    [`exists(${user})`, true],
    [`exists(${nobody})`, false],
    [`existsAfter(${user})`, true],
    [`get(${user}).data.age == 1`, true],
    [`getAfter(${user}).data.age == 2`, true],
    [`get(${user}).id == 'u1'`, true],
    [`get(${nobody}) == null`, true],
    [`get(${nobody}).data.age == 1`, 'refused'],
    ['exists(/databases/$(database)/documents/users)', 'refused'],
    ['exists(/users/u1)', 'refused'],
    ["exists('/databases/(default)/documents/users/u1')", 'refused'],
    [Array.from({ length: 10 }, (_, index) => `!exists(${nobody}${index})`).join(' && '), true],
    [Array.from({ length: 11 }, (_, index) => `!exists(${nobody}${index})`).join(' && '), 'refused'],
    [Array.from({ length: 11 }, () => `exists(${user})`).join(' && '), true],
  ])('%s is %s', (condition, expected) => {
    expect(outcome(condition, { read })).toBe(expected)
  })
})

describe('queries', () => {
  const query = (pinned: WireFields): Partial<RulesRequest> => ({
    method: 'list',
    path: `${DOCUMENTS}/things`,
    resource: { id: null, fields: pinned, partial: true },
    query: { limit: 5, offset: null, orderBy: 'name ASC' },
  })

  it.each<[string, true | false | 'refused']>([
    ["resource.data.owner == 'u1'", true],
    ["resource.data.owner == 'u2'", false],
    ["resource.data.other == 'u1'", 'refused'],
    ["resource.data.other == 'u1' || resource.data.owner == 'u1'", true],
    ["resource.data.owner == 'u1' || resource.data.other == 'u1'", true],
    ["resource.data.owner == 'u1' && resource.data.other == 'u1'", 'refused'],
    ["resource.data.other == 'u1' && resource.data.owner == 'u2'", false],
    ['resource.data.other == resource.data.other', 'refused'],
    ['resource.data.other is string', 'refused'],
    ['resource.data.other == null ? true : true', 'refused'],
    ["resource.data.other in ['a']", 'refused'],
    ["'a' in [resource.data.other]", 'refused'],
    ["'owner' in resource.data", true],
    ["'other' in resource.data", 'refused'],
    ["resource.data.get('owner', '') == 'u1'", true],
    ["resource.data.get('other', '') == ''", 'refused'],
    ["resource.data['other'] == ''", 'refused'],
    ["resource.data.keys().hasOnly(['owner'])", 'refused'],
    ['resource.data.size() == 1', 'refused'],
    ["resource.data == {'owner': 'u1'}", 'refused'],
    ['resource.data == null', false],
    ['resource == null', false],
    ["resource.data.diff({'owner': 'u1'}).affectedKeys().size() == 0", 'refused'],
    ["id == 't1'", 'refused'],
    ["resource.id == 't1'", 'refused'],
    ['request.path == request.path', 'refused'],
    ['exists(/databases/$(database)/documents/things/$(id))', 'refused'],
    ['request.query.limit <= 10', true],
    ['request.query.offset == null', true],
    ["request.query.orderBy == 'name ASC'", true],
  ])('%s is %s', (condition, expected) => {
    expect(outcome(condition, query({ owner: text('u1') }))).toBe(expected)
  })

  it('know the id that a query fixes', () => {
    const fixed = { ...query({}), resource: { id: 't1', fields: {}, partial: true } }
    expect(outcome("id == 't1' && resource.id == id && resource.__name__ == request.path", fixed)).toBe(true)
  })

  it('do not reach a match for one document by its name', () => {
    const source = rulesWith('true').replace('{id}', 't1')
    expect(compileRules(source, 'cloud.firestore').allows(request(query({})))).toBe(false)
  })

  it('are allowed only if each document that they can find is', () => {
    const values: readonly (WireValue | null)[] = [
      { booleanValue: true },
      { booleanValue: false },
      text('a'),
      { nullValue: null },
      null,
    ]
    const { condition } = fc.letrec<{ condition: string }>((tie) => ({
      condition: fc.oneof(
        { maxDepth: 5 },
        fc.constantFrom('true', 'false', ERROR, 'resource.data.x', 'resource.data.y', "'x' in resource.data"),
        fc
          .tuple(tie('condition'), fc.constantFrom('&&', '||', '==', '!='), tie('condition'))
          .map(([left, operator, right]) => `(${left} ${operator} ${right})`),
        tie('condition').map((inner) => `!(${inner})`),
        tie('condition').map((inner) => `((${inner}) is bool)`),
        fc
          .tuple(tie('condition'), tie('condition'), tie('condition'))
          .map(([test, then, otherwise]) => `(${test} ? ${then} : ${otherwise})`),
      ),
    }))
    fc.assert(
      fc.property(condition, fc.constantFrom(...values), fc.constantFrom(...values), (each, x, y) => {
        const rules = compileRules(rulesWith(each), 'cloud.firestore')
        const found: WireFields = { ...(x && { x }), ...(y && { y }) }
        const open = rules.allows(request(query({})))
        const pinned = x !== null && rules.allows(request(query({ x })))
        const single = rules.allows(request({ resource: { id: 't1', fields: found } }))
        return single || !(open || pinned)
      }),
      { numRuns: 2000 },
    )
  })
})

describe('storage', () => {
  it('has metadata in place of document fields', () => {
    const rules = compileRules(
      `rules_version = '2';
      service firebase.storage {
        match /b/{bucket}/o {
          match /users/{uid}/{name=**} {
            allow create: if request.resource.size < 10 && request.resource.contentType.matches('image/.*')
              && firestore.exists(/databases/(default)/documents/users/$(uid));
          }
        }
      }`,
      'firebase.storage',
    )
    const upload = (size: number, contentType: string) =>
      rules.allows(
        request({
          method: 'create',
          path: '/b/bucket/o/users/u1/identity/1.png',
          requestResource: { id: '1.png', fields: { size: whole(size), contentType: text(contentType) } },
          read: (path) => (path === `${DOCUMENTS}/users/u1` ? {} : null),
        }),
      )
    expect([upload(9, 'image/png'), upload(10, 'image/png'), upload(9, 'text/html')]).toEqual([
      true,
      false,
      false,
    ])
  })
})

it.each([
  [2, true],
  [3, false],
])('the rules of the storage may read two documents: %i, %s', (documents, expected) => {
  const reads = Array.from(
    { length: documents },
    (_, index) => `!firestore.exists(/databases/(default)/documents/users/u${index})`,
  )
  const rules = compileRules(
    `rules_version = '2';
    service firebase.storage {
      match /b/{bucket}/o { match /{name} { allow get: if ${reads.join(' && ')}; } }
    }`,
    'firebase.storage',
  )
  expect(rules.allows(request({ method: 'get', path: '/b/bucket/o/x', read: () => null }))).toBe(expected)
})

describe('what is not understood is refused with its place', () => {
  const problem = (source: string): string => {
    try {
      compileRules(source, 'cloud.firestore')
      return 'compiled'
    } catch (error) {
      if (error instanceof RulesSyntaxError) return error.message
      throw error
    }
  }

  it.each<[string, string]>([
    ['', 'line 1, column 1: expected "rules_version", found "the end of the file"'],
    ["rules_version = '1';", 'line 1, column 17: expected \'2\', found "1"'],
    [
      "rules_version = '2'; service firebase.storage { }",
      'line 1, column 22: expected service cloud.firestore, found firebase.storage',
    ],
    [
      "rules_version = '2';\nservice cloud.firestore {\n  allow read;\n}",
      'line 3, column 3: expected match or function, found "allow"',
    ],
    [
      "rules_version = '2'; service cloud.firestore { } service cloud.firestore { }",
      'line 1, column 50: expected the end of the file, found "service"',
    ],
    [
      "rules_version = '2'; service cloud.firestore { match /a/{x=**}/{y=**} { } }",
      'line 1, column 48: more than one =** on the way to this match',
    ],
    [
      "rules_version = '2'; service cloud.firestore { match /a/{x}/{x} { } }",
      'line 1, column 48: a name is used twice',
    ],
    [
      "rules_version = '2'; service cloud.firestore { match /a/{x} { match /b/{x} { } } }",
      'line 1, column 63: x is already defined',
    ],
    [
      "rules_version = '2'; service cloud.firestore { match a { } }",
      'line 1, column 54: expected a path, found "a"',
    ],
    [
      "rules_version = '2'; service cloud.firestore { match /a/ { } }",
      'line 1, column 57: expected a path segment',
    ],
    [
      "rules_version = '2'; service cloud.firestore { match /a { allow look; } }",
      'line 1, column 65: expected a method, found "look"',
    ],
    [
      "rules_version = '2'; service cloud.firestore { match /a { allow constructor; } }",
      'line 1, column 65: expected a method, found "constructor"',
    ],
    [
      "rules_version = '2'; service cloud.firestore { match /a { allow get } }",
      'line 1, column 69: expected ";", found "}"',
    ],
    [
      "rules_version = '2'; service cloud.firestore { match /a { allow get: true; } }",
      'line 1, column 70: expected "if", found "true"',
    ],
  ])('%s', (source, expected) => {
    expect(problem(source)).toBe(`rules, ${expected}`)
  })

  /** In `rulesWith`, the condition starts in this column of line 6. */
  const COLUMN = 48
  it.each<[string, string, number]>([
    ['nobody == 1', 'unknown name nobody', 0],
    ['request', 'unknown name request', 0],
    ["request['auth'] == null", 'unknown name request', 0],
    ['request.user == null', 'unknown property user', 7],
    ['request.auth.email == null', 'unknown property email', 12],
    ['resource.fields == null', 'unknown property fields', 8],
    ['request.time.year == 2026', 'unknown property year', 12],
    ["'a'.length() == 1", 'unknown method length', 3],
    ["'a'.constructor() == 1", 'unknown method constructor', 3],
    ['math.abs(1) == 1', 'unknown method abs', 4],
    ["duration.abs(duration.value(1, 'h')) is duration", 'unknown function duration.abs', 8],
    ['isOwner()', 'unknown function isOwner', 0],
    ['toString()', 'unknown function toString', 0],
    ['firestore.get(/a/b) == null', 'unknown function firestore.get', 9],
    ["'a'.size(1) == 1", 'wrong number of arguments for size', 3],
    ["{'a': 1}.get('a') == 1", 'wrong number of arguments for get', 8],
    ['exists()', 'exists takes 1 argument', 0],
    ['1 is integer', 'unknown type integer', 2],
    ["'a'.matches(id)", 'a regular expression has to be a string literal', 12],
    ["'a'.matches('(?i)a')", '(? is not supported in a regular expression, only (?:', 12],
    ["'a'.matches('(?=a)')", '(? is not supported in a regular expression, only (?:', 12],
    ["'a'.matches('\\\\pL')", '\\p is not supported in a regular expression', 12],
    ["'a'.matches('(a)\\\\1')", '\\1 is not supported in a regular expression', 12],
    ["'a'.matches('[[:alpha:]]')", '[ inside [ ] is not supported in a regular expression', 12],
    ["'a'.matches('[]a]')", '[] is not supported in a regular expression', 12],
    ["'a'.matches('a{')", 'not a regular expression that is supported', 12],
    ["'\\d' == 'd'", 'the escape \\d is not supported', 1],
    ["'a", 'unexpected "\'"', 0],
    ['true & false', 'unexpected "&"', 5],
    ['1 === 1', 'expected an expression, found "="', 4],
    ['99999999999999999999 > 1', 'integer overflow', 0],
    ['0x10 == 16', 'expected ";", found "x10"', 1],
    ['[1, 2,] == []', 'expected an expression, found "]"', 6],
    ['{a: 1} == {}', 'expected a key in quotes, found "a"', 1],
    ['true ? true', 'expected ":", found ";"', 11],
    ['/a/ b is path', 'expected a path segment', 3],
    ['id => id', 'expected ";", found "="', 3],
    ['if', 'expected a name, found "if"', 0],
  ])('%s', (condition, expected, offset) => {
    expect(problem(rulesWith(condition))).toBe(`rules, line 6, column ${COLUMN + offset}: ${expected}`)
  })

  it.each<[string, string]>([
    ['function f() { return f(); }', 'f calls itself'],
    ['function f() { return g(); } function g() { return f(); }', 'f calls itself'],
    ['function f() { return true; } function f() { return true; }', 'f is already defined'],
    ['function f(a, a) { return true; }', 'a name is used twice'],
    ['function f(database) { return true; }', 'database is already defined'],
    ['function f(a) { let a = 1; return true; }', 'a is already defined'],
    ['function f(f) { return true; }', 'f is already defined'],
    ['function request() { return true; }', 'request is already defined'],
    ['function get(a) { return true; }', 'get is already defined'],
    ['function f(a, b, c, d, e, g, h, i) { return true; }', 'more than 7 parameters'],
    [
      `function f() { ${Array.from({ length: 11 }, (_, n) => `let a${n} = 1;`).join(' ')} return true; }`,
      'more than 10 let',
    ],
    [
      Array.from({ length: 21 }, (_, n) => `function f${n}() { return f${n + 1}(); }`).join(' ') +
        'function f21() { return true; }',
      'calls nest deeper than 20',
    ],
    ['function f() { return id; }', 'unknown name id'],
    ['function f() { }', 'expected "return", found "}"'],
    ['function f() { return 1 }', 'expected ";", found "}"'],
    ['function f(a) { return true; } function g() { return f(); }', 'f takes 1 arguments'],
  ])('%s', (functions, expected) => {
    expect(problem(rulesWith('true', functions))).toContain(`: ${expected}`)
  })
})
