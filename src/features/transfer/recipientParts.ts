// All load together right after the form, so one module exports them, for a single chunk.

export { RecipientCheck } from './RecipientCheck.tsx'
export { RecipientName } from './RecipientName.tsx'
export { RecipientPicker as People } from './RecipientPicker.tsx'
