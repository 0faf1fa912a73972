import type { WireFields, WireValue } from '../wire.ts'
import { type FieldPath, getField, setField } from './fieldPath.ts'
import { areValuesEqual, getElements, NULL_WIRE_VALUE } from './values.ts'

export type Transform = { readonly path: FieldPath } & (
  | { readonly kind: 'requestTime' }
  | { readonly kind: 'appendMissingElements'; readonly elements: readonly WireValue[] }
)

/** `requestTime`: UTC milliseconds. */
export function applyTransforms(
  fields: WireFields,
  transforms: readonly Transform[],
  requestTime: number,
): { fields: WireFields; results: WireValue[] } {
  const results: WireValue[] = []
  let transformed = fields
  for (const transform of transforms) {
    const value = computeTransform(getField(transformed, transform.path), transform, requestTime)
    transformed = setField(transformed, transform.path, value)
    results.push('elements' in transform ? NULL_WIRE_VALUE : value)
  }
  return { fields: transformed, results }
}

function computeTransform(
  stored: WireValue | undefined,
  transform: Transform,
  requestTime: number,
): WireValue {
  switch (transform.kind) {
    case 'requestTime':
      return { timestampValue: new Date(requestTime).toISOString().replace('.000Z', 'Z') }
    case 'appendMissingElements': {
      const values = [...getElements(stored)]
      for (const element of transform.elements)
        if (!values.some((value) => areValuesEqual(value, element))) values.push(element)
      return { arrayValue: { values } }
    }
  }
}
