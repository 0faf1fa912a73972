// The page that checks receipts without an account and without a network.
import './ui/theme.css'
import { createRoot } from 'react-dom/client'
import { importWithRetry } from './browser/importWithRetry.ts'
import { getStoredLanguage } from './browser/storedLanguage.ts'
import { findServiceWorkers } from './pwa/serviceWorkers.ts'
import { loadWithPageMessages, setLanguage } from './ui/i18n.ts'

const root = document.getElementById('root')
if (root) {
  const { ReceiptCheckRoot } = await importWithRetry(async () => {
    await setLanguage(getStoredLanguage())
    return loadWithPageMessages(import('./shell/ReceiptCheckRoot.tsx'))
  })
  createRoot(root).render(<ReceiptCheckRoot />)
  // Many users open only this page, and need it without a network later. Private windows refuse workers.
  if (import.meta.env.PROD)
    findServiceWorkers()
      ?.register('/sw.js')
      .catch(() => undefined)
}
