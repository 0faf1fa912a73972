/*
 * Saves typed form values across a reload, because a phone often discards a tab while the user reads a
 * message or takes a picture. The values belong to this tab and hold nothing secret: no password, code or
 * document. A form deletes its values when it is completed or left.
 */
import { type FormName, tabStore } from './storage.ts'

export type FormValues = Readonly<Record<string, unknown>>

/**
 * Saves the values; null deletes them. `of` is the form's user or purpose: values saved for one are not
 * returned for another.
 */
export function saveForm(form: FormName, of: string, values: FormValues | null) {
  tabStore.set(`form.${form}`, values && { of, values })
}

/** Returns the saved values, or null. The caller must validate each value. */
export function readSavedForm(form: FormName, of: string): FormValues | null {
  const kept = tabStore.get(`form.${form}`)
  return kept?.of === of ? { ...kept.values } : null
}

export const toTextOrEmpty = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Deletes the saved values of all forms, after a sign-out. */
export function deleteSavedForms() {
  for (const form of ['access', 'phone', 'identity', 'invoice'] as const) saveForm(form, '', null)
}
