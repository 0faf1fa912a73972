// One module exports all parts, for a single chunk.

export { CashOut } from './CashOut.tsx'
export { CheckoutNotice } from './CheckoutNotice.tsx'
export { ContactSheet } from './ContactSheet.tsx'
export { DuplicateSheet } from './DuplicateSheet.tsx'
export { PriceSheet } from './PriceSheet.tsx'
