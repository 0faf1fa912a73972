import type { WireFields, WireValue } from '../wire.ts'
import { type FieldPath, fieldAt, withField } from './fieldPath.ts'
import {
  areEqual,
  clampInteger,
  compareValues,
  double,
  elementsOf,
  integer,
  NULL_VALUE,
  numberOf,
} from './values.ts'

/** A change that depends on what is stored. */
export type Transform = { readonly path: FieldPath } & (
  | { readonly kind: 'requestTime' }
  | { readonly kind: 'increment' | 'maximum' | 'minimum'; readonly operand: WireValue }
  | { readonly kind: 'appendMissingElements' | 'removeAllFromArray'; readonly elements: readonly WireValue[] }
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
    case 'increment':
      return stored ? sumOf(stored, transform.operand) : transform.operand
    case 'maximum':
    case 'minimum': {
      if (!stored || numberOf(stored) === null) return transform.operand
      const order = compareValues(transform.operand, stored)
      return (transform.kind === 'maximum' ? order > 0 : order < 0) ? transform.operand : stored
    }
    case 'appendMissingElements': {
      const values = [...elementsOf(stored)]
      for (const element of transform.elements)
        if (!values.some((value) => areEqual(value, element))) values.push(element)
      return { arrayValue: { values } }
    }
    case 'removeAllFromArray': {
      const isRemoved = (value: WireValue) => transform.elements.some((element) => areEqual(value, element))
      return { arrayValue: { values: elementsOf(stored).filter((value) => !isRemoved(value)) } }
    }
  }
}

/** Integers stay integers, at the edge of 64 bits if need be; a stored value that is no number is replaced. */
function sumOf(stored: WireValue, operand: WireValue): WireValue {
  const [a, b] = [numberOf(stored), numberOf(operand)]
  if (a === null || b === null) return operand
  return typeof a === 'bigint' && typeof b === 'bigint'
    ? integer(clampInteger(a + b))
    : double(Number(a) + Number(b))
}
