import type { Output } from '../common/schema.ts'
import type { buildProfileSchema } from './profileSchema.ts'

/** Specification, section 3. */
export type Profile = { readonly uid: string } & Output<ReturnType<typeof buildProfileSchema>>
