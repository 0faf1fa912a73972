export const operator = {
  name: import.meta.env.VITE_OPERATOR_NAME,
  licence: import.meta.env.VITE_OPERATOR_LICENCE,
  complaints: import.meta.env.VITE_COMPLAINTS_EMAIL,
} as const
