// One module exports all parts, for a single chunk.

export { RecipientCheck } from './RecipientCheck.tsx'
export { RecipientName } from './RecipientName.tsx'
export { RecipientPicker as People } from './RecipientPicker.tsx'
