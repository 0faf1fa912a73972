import type { Page } from '@playwright/test'

/** Waits for the server's next answer to a question about a collection, until the page has all of it. */
export async function nextAnswer(
  page: Page,
  collection: 'contacts' | 'files' | 'transactions',
): Promise<void> {
  const response = await page.waitForResponse(
    (one) => one.url().includes(':runQuery') && !!one.request().postData()?.includes(`"${collection}"`),
  )
  await response.finished()
}
