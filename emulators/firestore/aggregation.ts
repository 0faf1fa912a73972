import type { WireFields, WireValue } from '../wire.ts'
import { type FieldPath, fieldAt } from './fieldPath.ts'
import { type Found, fieldKey } from './query.ts'
import { clampInteger, double, integer, NULL_VALUE, numberOf } from './values.ts'

export type Aggregation = { readonly alias: string } & (
  | { readonly kind: 'count'; readonly upTo: number | null }
  | { readonly kind: 'sum' | 'avg'; readonly path: FieldPath }
)

/** The fields whose index entries are added up, each once. */
export function aggregatedFields(aggregations: readonly Aggregation[]): readonly FieldPath[] {
  const paths = aggregations.flatMap((aggregation) =>
    aggregation.kind === 'count' ? [] : [aggregation.path],
  )
  return [...new Map(paths.map((path) => [fieldKey(path), path])).values()]
}

/** Only documents that have every field that is added up count at all, as in the real service. */
export function aggregate(
  found: readonly Found[],
  aggregations: readonly Aggregation[],
): { fields: WireFields; entries: number } {
  const paths = aggregatedFields(aggregations)
  const counted = found.filter(({ fields }) => paths.every((path) => fieldAt(fields, path) !== undefined))
  return {
    fields: Object.fromEntries(
      aggregations.map((aggregation) => [aggregation.alias, aggregateOne(counted, aggregation)]),
    ),
    entries: counted.length,
  }
}

function aggregateOne(found: readonly Found[], aggregation: Aggregation): WireValue {
  if (aggregation.kind === 'count')
    return integer(BigInt(Math.min(found.length, aggregation.upTo ?? found.length)))
  const numbers = found.flatMap(({ fields }) => {
    const value = fieldAt(fields, aggregation.path)
    const number = value ? numberOf(value) : null
    return number === null ? [] : [number]
  })
  if (aggregation.kind === 'avg')
    return numbers.length === 0
      ? NULL_VALUE
      : double(numbers.reduce<number>((sum, number) => sum + Number(number), 0) / numbers.length)
  const integers = numbers.filter((number) => typeof number === 'bigint')
  const sum = integers.reduce((total, number) => total + number, 0n)
  return integers.length === numbers.length && sum === clampInteger(sum)
    ? integer(sum)
    : double(numbers.reduce<number>((total, number) => total + Number(number), 0))
}
