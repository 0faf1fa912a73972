/**
 * Values as Firestore's REST API writes them in JSON. Each object carries exactly one of the keys;
 * integers are decimal strings, because they have 64 bits.
 */
export type WireValue =
  | { nullValue: null }
  | { booleanValue: boolean }
  | { integerValue: string }
  | { doubleValue: number | 'NaN' | 'Infinity' | '-Infinity' }
  | { timestampValue: string }
  | { stringValue: string }
  | { bytesValue: string }
  | { referenceValue: string }
  | { geoPointValue: { latitude?: number; longitude?: number } }
  | { arrayValue: { values?: WireValue[] } }
  | { mapValue: { fields?: WireFields } }

/** The fields of a document or of a map value, by name. */
export type WireFields = Record<string, WireValue>
