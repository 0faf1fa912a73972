import type { RulesRequest } from '../rules/request.ts'
import { compileRules } from '../rules/rules.ts'
import type { WireFields, WireValue } from '../wire.ts'

export const DOCUMENTS_PATH = '/databases/(default)/documents'
export const NOW = Date.UTC(2026, 10, 20, 12, 34, 56, 789)

export const toStringValue = (stringValue: string): WireValue => ({ stringValue })
export const toIntegerValue = (integerValue: number): WireValue => ({ integerValue: String(integerValue) })
const buildMap = (fields: WireFields): WireValue => ({ mapValue: { fields } })

const FIELDS: WireFields = {
  nothing: { nullValue: null },
  flag: { booleanValue: true },
  count: toIntegerValue(3),
  ratio: { doubleValue: 1.5 },
  one: { doubleValue: 1 },
  name: toStringValue('Aïssatou'),
  at: { timestampValue: '2026-11-20T12:34:56.789Z' },
  later: { timestampValue: '2026-11-20T13:34:56.789123456+00:00' },
  tags: { arrayValue: { values: [toStringValue('a'), toStringValue('b'), toStringValue('a')] } },
  none: { arrayValue: {} },
  nested: buildMap({ a: toIntegerValue(1), b: buildMap({ c: toStringValue('deep') }) }),
  ref: { referenceValue: 'projects/demo/databases/(default)/documents/users/u1' },
}

export const buildTestRequest = (overrides: Partial<RulesRequest> = {}): RulesRequest => ({
  method: 'get',
  path: `${DOCUMENTS_PATH}/things/t1`,
  auth: { uid: 'u1', token: { email: 'a@example.org', level: 2, roles: ['x'], firebase: { tenant: null } } },
  time: NOW,
  resource: { id: 't1', fields: FIELDS },
  requestResource: null,
  read: () => null,
  ...overrides,
})

export const buildRules = (condition: string, functions = '') => `
rules_version = '2';
service cloud.firestore {
  match /databases/{database}/documents {
    ${functions}
    match /things/{id} { allow read, write: if ${condition}; }
  }
}`

/** An error, a value that is not a bool and an unknown value are refusals. */
export function evaluateCondition(condition: string, overrides?: Partial<RulesRequest>, functions?: string) {
  const holds = (each: string) =>
    compileRules(buildRules(each, functions), 'cloud.firestore').allows(buildTestRequest(overrides))
  return holds(condition) ? true : holds(`!(${condition})`) ? false : 'refused'
}

export const FAILING_CONDITION = '(1 < null)'
