import { checkName } from '../name.ts'
import { checkPhone, groupPhone } from '../phone.ts'
import { fail, fallback, nullable, object, string, transform } from '../schema.ts'
import type { InstantSchema } from './instant.ts'

/** A contact with a valid number. Marks that could change how the name reads are removed. */
export const buildContactSchema = (instant: InstantSchema) =>
  transform(
    object({
      id: string,
      userId: string,
      name: fallback(string, ''),
      phone: string,
      createdAt: nullable(instant),
    }),
    ({ phone, name, createdAt, ...fields }) => {
      const number = checkPhone(phone)
      if (!number.ok) return fail()
      const known = checkName(name)
      return {
        ...fields,
        name: known.ok ? known.value : groupPhone(number.value),
        phone: number.value,
        /** UTC milliseconds. */
        createdAt: createdAt ?? 0,
      }
    },
  )
