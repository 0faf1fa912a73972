import type { openCardForm, updateCardForm } from '../../src/services/cardPayments.ts'

const LABELS = {
  fr: ['Numéro de carte', 'Date d’expiration', 'Code de sécurité'],
  en: ['Card number', 'Expiration date', 'Security code'],
} as const

/** Stands in for the provider's card form, which needs a network. */
export const drawCardForm: typeof openCardForm = (element, { language, customerSession }, onState) => {
  const form = document.createElement('div')
  // Marks the stand-in for the test that compares the scene with the app and leaves out the provider's form.
  form.dataset.standIn = ''
  form.append(
    ...(customerSession ? [drawSavedCard()] : []),
    ...LABELS[language].map((text, index) => {
      const label = document.createElement('label')
      const input = document.createElement('input')
      label.style.cssText = 'display: block; margin-bottom: 12px'
      input.style.cssText =
        'display: block; width: 100%; min-height: 44px; border: 1px solid; background: none; color: inherit; font: inherit'
      label.dataset.field = String(index)
      label.append(text, input)
      return label
    }),
  )
  element.replaceChildren(form)
  onState('ready')
  return () => element.replaceChildren()
}

export const translateCardForm: typeof updateCardForm = async ({ language }) => {
  for (const [index, text] of LABELS[language].entries())
    document.querySelector(`[data-field="${index}"]`)?.firstChild?.replaceWith(text)
}

function drawSavedCard(): HTMLElement {
  const label = document.createElement('label')
  const input = document.createElement('input')
  label.style.cssText = 'display: flex; align-items: center; gap: 8px; min-height: 44px; margin-bottom: 12px'
  Object.assign(input, { type: 'radio', name: 'card', checked: true })
  label.append(input, 'Visa •••• 4242')
  return label
}
