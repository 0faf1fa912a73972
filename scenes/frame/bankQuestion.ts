import type { confirmCard } from '../../src/services/cardPayments.ts'
import { neverAnswer } from '../fixtures.ts'

/** Stands in for the bank's frame. The returned promise never settles. */
export const drawBankQuestion: typeof confirmCard = () => {
  const [heading, confirm, refuse] =
    document.documentElement.lang === 'fr'
      ? ['Votre banque vous demande de confirmer', 'Confirmer le paiement', 'Refuser']
      : ['Your bank asks you to confirm', 'Confirm the payment', 'Refuse']
  const dialog = document.createElement('dialog')
  const frame = document.createElement('iframe')
  dialog.style.cssText = 'box-sizing: border-box; width: 100%; padding: 0; border: 0'
  frame.style.cssText = 'display: block; width: 100%; height: 240px; border: 0'
  dialog.setAttribute('aria-label', heading)
  frame.title = heading
  frame.srcdoc = `<!doctype html><html lang="${document.documentElement.lang}"><title>${heading}</title>
    <style>:root { color: #000; background: #fff; font: 1em sans-serif }
    button { display: block; width: 100%; min-height: 44px; margin-top: 12px; font: inherit }</style>
    <main aria-labelledby="asked"><h1 id="asked">${heading}</h1><button>${confirm}</button><button>${refuse}</button></main>`
  dialog.append(frame)
  document.body.append(dialog)
  dialog.showModal()
  return neverAnswer()
}
