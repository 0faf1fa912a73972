// The page that checks receipts without an account and without a network.
import './ui/theme.css'
import { createRoot } from 'react-dom/client'
import { importWithRetry } from './browser/importWithRetry.ts'
import { getStoredLanguage } from './browser/storedLanguage.ts'
import { loadWithPageMessages, setLanguage } from './ui/i18n.ts'

const root = document.getElementById('root')
if (root) {
  await setLanguage(getStoredLanguage())
  const { ReceiptCheckRoot } = await importWithRetry(() =>
    loadWithPageMessages(import('./shell/ReceiptCheckRoot.tsx')),
  )
  createRoot(root).render(<ReceiptCheckRoot />)
}
