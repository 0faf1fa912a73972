import type { WireFields, WireValue } from '../wire.ts'
import type { RulesRequest } from './request.ts'
import { compileRules } from './rules.ts'

export const DOCUMENTS = '/databases/(default)/documents'
export const NOW = Date.UTC(2026, 10, 20, 12, 34, 56, 789)

export const text = (stringValue: string): WireValue => ({ stringValue })
export const whole = (integerValue: number): WireValue => ({ integerValue: String(integerValue) })
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

export const request = (overrides: Partial<RulesRequest> = {}): RulesRequest => ({
  method: 'get',
  path: `${DOCUMENTS}/things/t1`,
  auth: { uid: 'u1', token: { email: 'a@example.org', level: 2, roles: ['x'], firebase: { tenant: null } } },
  time: NOW,
  resource: { id: 't1', fields: FIELDS },
  requestResource: null,
  read: () => null,
  ...overrides,
})

export const rulesWith = (condition: string, functions = '') => `
rules_version = '2';
service cloud.firestore {
  match /databases/{database}/documents {
    ${functions}
    match /things/{id} { allow read, write: if ${condition}; }
  }
}`

/** What a condition comes to: a refusal is an error, a value that is no bool, or an open value. */
export function outcome(condition: string, overrides?: Partial<RulesRequest>, functions?: string) {
  const holds = (each: string) =>
    compileRules(rulesWith(each, functions), 'cloud.firestore').allows(request(overrides))
  return holds(condition) ? true : holds(`!(${condition})`) ? false : 'refused'
}

export const ERROR = '(1 < null)'
