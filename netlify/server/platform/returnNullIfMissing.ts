/** Null if Stripe does not know the ID. @throws Stripe's other errors. */
export async function returnNullIfMissing<T>(asked: Promise<T>): Promise<T | null> {
  try {
    return await asked
  } catch (error) {
    if ((error as { code?: unknown }).code === 'resource_missing') return null
    throw error
  }
}

export const getStripeId = (object: string | { readonly id: string }) =>
  typeof object === 'string' ? object : object.id
