import type { Page } from '@playwright/test'

export async function waitForQueryResponse(
  page: Page,
  collection: 'contacts' | 'files' | 'transactions',
): Promise<void> {
  const response = await page.waitForResponse(
    (one) => one.url().includes(':runQuery') && !!one.request().postData()?.includes(`"${collection}"`),
  )
  await response.finished()
}
