import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  buildRules,
  buildTestRequest,
  DOCUMENTS_PATH,
  evaluateCondition,
  FAILING_CONDITION,
  toIntegerValue,
  toStringValue,
} from '../testing/rules.ts'
import type { WireFields, WireValue } from '../wire.ts'
import type { RulesRequest } from './request.ts'
import { compileRules, RulesSyntaxError } from './rules.ts'

describe('match statements', () => {
  const rules = (body: string) =>
    compileRules(
      `rules_version = '2'; service cloud.firestore { match /databases/{database}/documents { ${body} } }`,
      'cloud.firestore',
    )
  const allowed = (body: string, path: string, method: RulesRequest['method'] = 'get') =>
    rules(body).allows(buildTestRequest({ path: `${DOCUMENTS_PATH}${path}`, method }))

  it.each<[string, string, 'allowed' | 'refused']>([
    ['match /a/{id} { allow get; }', '/a/1', 'allowed'],
    ['match /a/{id} { allow get; }', '/b/1', 'refused'],
    ['match /a/{id} { allow get; }', '/a/1/b/2', 'refused'],
    ['match /a/{id} { match /b/{other} { allow get; } }', '/a/1/b/2', 'allowed'],
    ['match /a/{id} { match /b/{other} { allow get; } }', '/a/1', 'refused'],
    [
      "match /a/{id} { match /b/{other} { allow get: if id == '1' && other == '2'; } }",
      '/a/1/b/2',
      'allowed',
    ],
    ['match /a/one { allow get; }', '/a/one', 'allowed'],
    ['match /a/one { allow get; }', '/a/two', 'refused'],
    // One matching `allow` is enough.
    ['match /a/{id} { allow get: if false; } match /a/{all} { allow get; }', '/a/1', 'allowed'],
    ['match /a/{id} { allow get: if 1 < null; allow get; }', '/a/1', 'allowed'],
    ['match /a/{id} { }', '/a/1', 'refused'],
  ])('with the rules “%s”, a get of %s is %s', (body, path, expected) => {
    expect(allowed(body, path)).toBe(expected === 'allowed')
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
  ] as const)('the rule “allow %s” covers %j', (methods, expected) => {
    const all = ['get', 'list', 'create', 'update', 'delete'] as const
    const path = (method: string) => (method === 'list' ? '/a' : '/a/1')
    const body = `match /a/{id} { allow ${methods}; }`
    expect(all.filter((method) => allowed(body, path(method), method))).toEqual(expected)
  })
})

describe('conditions about other documents', () => {
  const USER = `${DOCUMENTS_PATH}/users/u1`
  const read = (path: string) => (path === USER ? { age: toIntegerValue(1) } : null)
  const user = '/databases/$(database)/documents/users/$(request.auth.uid)'
  const nobody = '/databases/$(database)/documents/users/nobody'

  it.each<[string, true | false | 'refused']>([
    [`exists(${user})`, true],
    [`exists(${nobody})`, false],
    [`get(${user}).data.age == 1`, true],
    [`get(${user}).id == 'u1'`, true],
    [`get(${nobody}) == null`, true],
    [`get(${nobody}).data.age == 1`, 'refused'],
    ['exists(/databases/$(database)/documents/users)', 'refused'],
    ['exists(/users/u1)', 'refused'],
    ["exists('/databases/(default)/documents/users/u1')", 'refused'],
    [Array.from({ length: 10 }, (_, index) => `!exists(${nobody}${index})`).join(' && '), true],
    [Array.from({ length: 11 }, (_, index) => `!exists(${nobody}${index})`).join(' && '), 'refused'],
    [Array.from({ length: 11 }, () => `exists(${user})`).join(' && '), true],
  ])('the condition %s about another document evaluates to %s', (condition, expected) => {
    expect(evaluateCondition(condition, { read })).toBe(expected)
  })
})

describe('rules for queries', () => {
  const query = (pinned: WireFields): Partial<RulesRequest> => ({
    method: 'list',
    path: `${DOCUMENTS_PATH}/things`,
    resource: { id: null, fields: pinned, partial: true },
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
    ["resource.data == {'owner': 'u1'}", 'refused'],
    ['resource.data == null', false],
    ['resource == null', false],
    ["resource.data.diff({'owner': 'u1'}).affectedKeys().size() == 0", 'refused'],
    ["id == 't1'", 'refused'],
    ["resource.id == 't1'", 'refused'],
    ['request.path == request.path', 'refused'],
    ['exists(/databases/$(database)/documents/things/$(id))', 'refused'],
  ])('for a query by owner, the condition %s evaluates to %s', (condition, expected) => {
    expect(evaluateCondition(condition, query({ owner: toStringValue('u1') }))).toBe(expected)
  })

  it('a condition can use the document ID that a query fixes', () => {
    const fixed = { ...query({}), resource: { id: 't1', fields: {}, partial: true } }
    expect(
      evaluateCondition("id == 't1' && resource.id == id && resource.__name__ == request.path", fixed),
    ).toBe(true)
  })

  it('a match for a single document does not allow a query', () => {
    const source = buildRules('true').replace('{id}', 't1')
    expect(compileRules(source, 'cloud.firestore').allows(buildTestRequest(query({})))).toBe(false)
  })

  it('rules allow a query if they allow all possible documents', () => {
    const values: readonly (WireValue | null)[] = [
      { booleanValue: true },
      { booleanValue: false },
      toStringValue('a'),
      { nullValue: null },
      null,
    ]
    const { condition } = fc.letrec<{ condition: string }>((tie) => ({
      condition: fc.oneof(
        { maxDepth: 5 },
        fc.constantFrom(
          'true',
          'false',
          FAILING_CONDITION,
          'resource.data.x',
          'resource.data.y',
          "'x' in resource.data",
        ),
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
        const rules = compileRules(buildRules(each), 'cloud.firestore')
        const found: WireFields = { ...(x && { x }), ...(y && { y }) }
        const open = rules.allows(buildTestRequest(query({})))
        const pinned = x !== null && rules.allows(buildTestRequest(query({ x })))
        const single = rules.allows(buildTestRequest({ resource: { id: 't1', fields: found } }))
        return single || !(open || pinned)
      }),
      { numRuns: 2000 },
    )
  })
})

describe('storage rules', () => {
  it('storage rules read the metadata of a file and documents in Firestore', () => {
    const rules = compileRules(
      `rules_version = '2';
      service firebase.storage {
        match /b/{bucket}/o {
          match /users/{uid}/identity/{name} {
            allow create: if request.resource.size < 10 && request.resource.contentType.matches('image/.*')
              && firestore.exists(/databases/(default)/documents/users/$(uid));
          }
        }
      }`,
      'firebase.storage',
    )
    const upload = (size: number, contentType: string) =>
      rules.allows(
        buildTestRequest({
          method: 'create',
          path: '/b/bucket/o/users/u1/identity/1.png',
          requestResource: {
            id: '1.png',
            fields: { size: toIntegerValue(size), contentType: toStringValue(contentType) },
          },
          read: (path) => (path === `${DOCUMENTS_PATH}/users/u1` ? {} : null),
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
  ['allow', 2],
  ['refuse', 3],
])('storage rules %s a get whose condition reads %i documents', (decision, documents) => {
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
  expect(rules.allows(buildTestRequest({ method: 'get', path: '/b/bucket/o/x', read: () => null }))).toBe(
    decision === 'allow',
  )
})

describe('unsupported rules', () => {
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
      "rules_version = '2'; service cloud.firestore { match /{all=**} { } }",
      'line 1, column 55: expected a path segment',
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
  ])('rejects the unsupported rules %s with their position', (source, expected) => {
    expect(problem(source)).toBe(`rules, ${expected}`)
  })

  /** Column at which the condition starts in line 6 of `buildRules`. */
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
    ['1.5 > 1', 'expected a name, found "5"', 2],
    ['-1 < 1', 'expected an expression, found "-"', 0],
    ["'a'.matches(id)", 'a regular expression must be a string literal', 12],
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
  ])('rejects the unsupported condition %s with its position', (condition, expected, offset) => {
    expect(problem(buildRules(condition))).toBe(`rules, line 6, column ${COLUMN + offset}: ${expected}`)
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
  ])('rejects the functions %s: %s', (functions, expected) => {
    expect(problem(buildRules('true', functions))).toContain(`: ${expected}`)
  })
})
