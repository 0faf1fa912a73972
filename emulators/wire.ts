/** An object with exactly one of these keys. Integers are decimal strings, because they have 64 bits. */
export type WireValue =
  | { nullValue: null }
  | { booleanValue: boolean }
  | { integerValue: string }
  | { doubleValue: number | 'NaN' | 'Infinity' | '-Infinity' }
  | { timestampValue: string }
  | { stringValue: string }
  | { referenceValue: string }
  | { arrayValue: { values?: WireValue[] } }
  | { mapValue: { fields?: WireFields } }

export type WireFields = Record<string, WireValue>
