/** Codes without `storage/`. Specification, section 8. */
export const STORAGE_ERROR_CODES = [
  'app-deleted',
  'bucket-not-found',
  'canceled',
  'cannot-slice-blob',
  'internal-error',
  'invalid-argument',
  'invalid-checksum',
  'invalid-default-bucket',
  'invalid-format',
  'invalid-root-operation',
  'invalid-url',
  'no-default-bucket',
  'no-download-url',
  'object-not-found',
  'project-not-found',
  'quota-exceeded',
  'retry-limit-exceeded',
  'unauthenticated',
  'unauthorized',
  'unauthorized-app',
  'unknown',
  'unsupported-environment',
] as const

export type StorageErrorCode = (typeof STORAGE_ERROR_CODES)[number]
