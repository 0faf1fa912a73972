import type { InferOutput } from './schema.ts'
import type { profileSchema } from './schemas/profile.ts'

/** What the product keeps of a person. Specification, section 3. */
export type Profile = { readonly uid: string } & InferOutput<ReturnType<typeof profileSchema>>
