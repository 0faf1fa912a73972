import type { openCardForm, updateCardForm } from '../../src/services/cardPayments.ts'

const LABELS = {
  fr: ['Numéro de carte', 'Date d’expiration', 'Code de sécurité'],
  en: ['Card number', 'Expiration date', 'Security code'],
} as const

const FORM =
  'display: grid; grid-template-columns: repeat(auto-fit, minmax(min(9rem, 100%), 1fr)); gap: var(--space-3)'
const BOX =
  'display: grid; min-width: 0; border: var(--control-line) solid var(--line-strong); border-radius: var(--radius-field); background: var(--field)'
const LABEL =
  'grid-area: 1 / 1; padding: var(--space-2) var(--space-field) 0; color: var(--ink-soft); font-size: var(--text-caption); line-height: 1.25'
const INPUT =
  'grid-area: 1 / 1; width: 100%; min-width: 0; min-height: var(--height-field); padding: 1.4em var(--space-field) var(--space-1); border: 0; border-radius: inherit; background: none; color: inherit; font: inherit'

/** Stands in for the provider's card form, which needs a network. */
export const drawCardForm: typeof openCardForm = (element, { language, customerSession }, onState) => {
  const form = document.createElement('div')
  form.style.cssText = FORM
  // Marks the stand-in for the test that compares the scene with the app and leaves out the provider's form.
  form.dataset.standIn = ''
  form.append(
    ...(customerSession ? [drawSavedCard()] : []),
    ...LABELS[language].map((text, index) => {
      const box = document.createElement('label')
      const label = document.createElement('span')
      const input = document.createElement('input')
      box.style.cssText = index === 0 ? `${BOX}; grid-column: 1 / -1` : BOX
      label.style.cssText = LABEL
      input.style.cssText = INPUT
      label.dataset.field = String(index)
      label.append(text)
      box.append(label, input)
      return box
    }),
  )
  element.replaceChildren(form)
  onState('ready')
  return () => element.replaceChildren()
}

export const translateCardForm: typeof updateCardForm = async ({ language }) => {
  for (const [index, text] of LABELS[language].entries())
    document.querySelector(`[data-field="${index}"]`)?.replaceChildren(text)
}

function drawSavedCard(): HTMLElement {
  const label = document.createElement('label')
  const input = document.createElement('input')
  label.style.cssText = 'grid-column: 1 / -1; display: flex; align-items: center; gap: 8px; min-height: 44px'
  Object.assign(input, { type: 'radio', name: 'card', checked: true })
  label.append(input, 'Visa •••• 4242')
  return label
}
