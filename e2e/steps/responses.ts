import type { Page } from '@playwright/test'

/** Waits for the server's next complete response to a query on a collection. */
export async function waitForQueryResponse(
  page: Page,
  collection: 'contacts' | 'files' | 'transactions',
): Promise<void> {
  const response = await page.waitForResponse(
    (one) => one.url().includes(':runQuery') && !!one.request().postData()?.includes(`"${collection}"`),
  )
  await response.finished()
}
