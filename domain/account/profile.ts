import type { Output } from '../common/schema.ts'
import type { buildProfileSchema } from './profileSchema.ts'

/** The personal data of a user. Specification, section 3. */
export type Profile = { readonly uid: string } & Output<ReturnType<typeof buildProfileSchema>>
