/** What the provider has under an id; null when it knows no such id. @throws Stripe's error for everything else. */
export async function nullIfMissing<T>(asked: Promise<T>): Promise<T | null> {
  try {
    return await asked
  } catch (error) {
    if ((error as { code?: unknown }).code === 'resource_missing') return null
    throw error
  }
}

/** The id of what the provider answers as an id or, expanded, as the whole object. */
export const idOf = (object: string | { readonly id: string }) =>
  typeof object === 'string' ? object : object.id
