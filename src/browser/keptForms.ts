/*
 * What was typed into a form, for a page that is loaded again: a phone often discards a tab while its owner reads a message
 * or takes a picture. It is kept for this tab alone and ends with it, and holds nothing secret: no password, no code, no
 * document. Whoever keeps a form drops it when it is done or left.
 */
import { type FormName, tabStore } from './storage.ts'

export type FormValues = Readonly<Record<string, unknown>>

/** `of`: whose form it is, or which. The form of another user is never given out. */
export function keepForm(form: FormName, of: string, values: FormValues | null) {
  tabStore.set(`form.${form}`, values && { of, values })
}

/** Null when no form is kept. The caller checks each value. */
export function keptForm(form: FormName, of: string): FormValues | null {
  const kept = tabStore.get(`form.${form}`)
  return kept?.of === of ? { ...kept.values } : null
}

export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Forgets every form, because somebody has signed out on this device. */
export function dropForms() {
  for (const form of ['access', 'phone', 'identity', 'invoice'] as const) keepForm(form, '', null)
}
