/**
 * What was typed into a form, for a page that is loaded again: a phone often discards a tab while its owner reads a message
 * or takes a picture. It is kept for this tab alone and ends with it, and holds nothing secret: no password, no code, no
 * document. Whoever keeps a form drops it when it is done or left.
 */
export type FormName = 'access' | 'phone' | 'identity' | 'invoice'

export type FormValues = Readonly<Record<string, unknown>>

const PREFIX = 'passerelle.form.'

/** `of`: whose form it is, or which. A form of somebody else is never given out. A browser without storage keeps none. */
export function keepForm(form: FormName, of: string, values: FormValues | null) {
  try {
    if (values) sessionStorage.setItem(PREFIX + form, JSON.stringify({ of, values }))
    else sessionStorage.removeItem(PREFIX + form)
  } catch {
    // The person can type it again.
  }
}

/** Null when no form is kept. The storage may hold anything, so the caller checks each value. */
export function keptForm(form: FormName, of: string): FormValues | null {
  try {
    const kept = JSON.parse(sessionStorage.getItem(PREFIX + form) ?? 'null')
    return kept?.of === of ? Object(kept.values) : null
  } catch {
    return null
  }
}

export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Forgets every form, because somebody has signed out on this device. */
export function dropForms() {
  for (const form of ['access', 'phone', 'identity', 'invoice'] as const) keepForm(form, '', null)
}
