import { useEffect } from 'react'
import { runAfterPress } from '../../browser/press.ts'

/**
 * A phone can't show the confirmation below a transfer on its way and the known recipients. `isNext`: only the
 * confirmation is missing.
 */
export function useScrollToConfirmation(isNext: boolean) {
  useEffect(() => {
    const pair = document.querySelector('form [data-pair]')
    const form = pair?.closest('form')
    if (!pair || !form) return
    const hasFocus = (fields: string) => document.activeElement?.matches(fields)
    const show = () =>
      runAfterPress(() => {
        if (isNext || hasFocus('[name=phone]'))
          pair.querySelector('[name=phoneConfirmed]')?.scrollIntoView({ block: 'nearest' })
      })
    // Facts about the number arrive late, and move the confirmation.
    const sizes = new ResizeObserver(() => hasFocus('[name=amount], [name=arrives]') || show())
    sizes.observe(pair)
    const showAfterTyping = ({ relatedTarget }: FocusEvent) => relatedTarget ?? show()
    form.addEventListener('focusout', showAfterTyping)
    // The keyboard of a phone may close without taking the focus away.
    let height = innerHeight
    const showAfterGrowth = () => {
      if (innerHeight > height) show()
      height = innerHeight
    }
    addEventListener('resize', showAfterGrowth)
    return () => {
      sizes.disconnect()
      form.removeEventListener('focusout', showAfterTyping)
      removeEventListener('resize', showAfterGrowth)
    }
  }, [isNext])
}
