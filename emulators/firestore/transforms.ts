import type { WireFields, WireValue } from '../wire.ts'
import { type FieldPath, fieldAt, withField } from './fieldPath.ts'
import { areEqual, elementsOf, NULL_VALUE } from './values.ts'

/** A change that depends on what is stored. */
export type Transform = { readonly path: FieldPath } & (
  | { readonly kind: 'requestTime' }
  | { readonly kind: 'appendMissingElements'; readonly elements: readonly WireValue[] }
)

/** The fields after all transforms in order, and what each of them answers. `requestTime` is UTC ms. */
export function applyTransforms(
  fields: WireFields,
  transforms: readonly Transform[],
  requestTime: number,
): { fields: WireFields; results: WireValue[] } {
  const results: WireValue[] = []
  let transformed = fields
  for (const transform of transforms) {
    const value = transformedValue(fieldAt(transformed, transform.path), transform, requestTime)
    transformed = withField(transformed, transform.path, value)
    results.push('elements' in transform ? NULL_VALUE : value)
  }
  return { fields: transformed, results }
}

function transformedValue(
  stored: WireValue | undefined,
  transform: Transform,
  requestTime: number,
): WireValue {
  switch (transform.kind) {
    case 'requestTime':
      return { timestampValue: new Date(requestTime).toISOString().replace('.000Z', 'Z') }
    case 'appendMissingElements': {
      const values = [...elementsOf(stored)]
      for (const element of transform.elements)
        if (!values.some((value) => areEqual(value, element))) values.push(element)
      return { arrayValue: { values } }
    }
  }
}
