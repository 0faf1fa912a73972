// One file for the browser: both come right after the form, and with each other.
export { People } from './People.tsx'
export { RecipientCheck } from './RecipientCheck.tsx'
