/*
 * A phone often discards a tab while the user takes a picture. The values hold nothing secret: no password,
 * code or document.
 */
import { type FormName, tabStore } from './storage.ts'

export type FormValues = Readonly<Record<string, unknown>>

/** `of` is the form's user or purpose: values saved for one are not returned for another. */
export function saveForm(form: FormName, of: string, values: FormValues | null) {
  tabStore.set(`form.${form}`, values && { of, values })
}

/** The caller must validate each value. */
export function readSavedForm(form: FormName, of: string): FormValues | null {
  const kept = tabStore.get(`form.${form}`)
  return kept?.of === of ? { ...kept.values } : null
}

export const toTextOrEmpty = (value: unknown): string => (typeof value === 'string' ? value : '')

export function deleteSavedForms() {
  for (const form of ['access', 'phone', 'identity', 'invoice'] as const) saveForm(form, '', null)
}
