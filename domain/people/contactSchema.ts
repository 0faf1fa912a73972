import * as v from 'valibot'
import type { InstantSchema } from '../common/instant.ts'
import { checkPhone, groupPhone } from '../numbers/phone.ts'
import { checkName } from './name.ts'

const phoneSchema = v.pipe(
  v.string(),
  v.rawTransform(({ dataset, addIssue, NEVER }) => {
    const phone = checkPhone(dataset.value)
    if (phone.ok) return phone.value
    addIssue()
    return NEVER
  }),
)

/** Marks that could change how the name reads are removed. */
export const buildContactSchema = (instant: InstantSchema) =>
  v.pipe(
    v.object({
      id: v.string(),
      userId: v.string(),
      name: v.fallback(v.string(), ''),
      phone: phoneSchema,
      createdAt: v.nullish(instant, null),
    }),
    v.transform(({ name, createdAt, ...fields }) => {
      const known = checkName(name)
      return {
        ...fields,
        name: known.ok ? known.value : groupPhone(fields.phone),
        /** UTC milliseconds. */
        createdAt: createdAt ?? 0,
      }
    }),
  )
