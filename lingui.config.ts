import { defineConfig } from '@lingui/cli'
import { formatter } from '@lingui/format-po'

const folder = process.env.CATALOGS ?? '<rootDir>/src/locales'

/** Pages that replace or cover the home screen, which does not wait for their texts. */
const pages = [
  'src/features/auth/{OtherBrowserNotice,SessionEndedNotice}.tsx',
  'src/features/{contacts,invoices,profile,receipt,receiptCheck,settings,statement}/**',
  'src/features/identity/!(IdentityMark).*',
  'src/features/plans/!(CapLeft).*',
  'src/features/history/HistoryPage.tsx',
  'src/features/support/SupportSheet.tsx',
  'src/features/transfer/{CashOut,CheckoutNotice,ContactSheet,DuplicateSheet,IdentityNotice,PhoneWarningConfirmation,PriceSheet,TransferSheets,WalletHolder,checkoutMessages,identityRequiredText}.{ts,tsx}',
  'src/ui/account/**',
  'src/ui/payment/{PaymentSheet,OutcomeSheet,checkoutText}.{ts,tsx}',
  'src/shell/{AppLock,EndedPaymentNotice,HeldAccountScreen,StorageBar}.tsx',
]

export default defineConfig({
  sourceLocale: 'fr',
  locales: ['fr', 'en'],
  catalogs: [
    { path: `${folder}/{locale}`, include: ['src'], exclude: pages },
    { path: `${folder}/pages/{locale}`, include: pages },
  ],
  format: formatter({ lineNumbers: false }),
})
