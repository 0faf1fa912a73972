import type { InferOutput } from './schema.ts'
import type { buildProfileSchema } from './schemas/profile.ts'

/** The personal data of a user. Specification, section 3. */
export type Profile = { readonly uid: string } & InferOutput<ReturnType<typeof buildProfileSchema>>
