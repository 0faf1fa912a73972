import { useLingui } from '@lingui/react/macro'
import { Modal } from '@mantine/core'
import './sheetComponents.css'
import { type ReactNode, useEffect, useRef } from 'react'
import { focusHeading } from './focusHeading.ts'

/** Whether the browser tells when its way to close things is used: the back button of a phone, the escape key of a desk. */
const TELLS_OF_CLOSING = 'CloseWatcher' in globalThis

/** A dialog: a sheet from below on a phone, a card in the middle elsewhere. It gives the focus back when it goes. */
export function Sheet({
  title,
  onClose,
  isClosable = true,
  isFocusFree = false,
  returnTo,
  children,
}: {
  title: ReactNode
  onClose: () => void
  /**
   * False while something is under way whose end would be missed, or would meet another sheet. Each call gives up by itself, so
   * nobody is held for ever.
   */
  isClosable?: boolean
  /** True while something over the sheet, such as the bank's own check, needs the focus for itself. */
  isFocusFree?: boolean
  /** What gets the focus afterwards when the button that opened the sheet has lost it, as a busy one does. */
  returnTo?: string
  children: ReactNode
}) {
  const { t } = useLingui()
  useBackButton(() => isClosable && onClose())

  useEffect(() => {
    const opener = document.activeElement
    return () => {
      const ways = [opener, returnTo && document.querySelector(returnTo)]
      const isThere = (way: unknown): way is HTMLElement =>
        way instanceof HTMLElement && way !== document.body && way.isConnected
      const way = ways.find(isThere)
      if (way) focusOnceDone(way)
      else focusHeading()
    }
  }, [returnTo])

  return (
    <Modal
      opened
      onClose={onClose}
      title={title}
      closeOnClickOutside={false}
      closeOnEscape={isClosable && !TELLS_OF_CLOSING}
      withCloseButton={isClosable}
      trapFocus={!isFocusFree}
      returnFocus={false}
      // A header outside of the page's own would count as a second banner.
      attributes={{ header: { role: 'none' } }}
      closeButtonProps={{ 'aria-label': t`Fermer` }}
    >
      {children}
    </Modal>
  )
}

/** The phone's back button closes what is open, where the browser tells of it, instead of leaving the page beneath. */
function useBackButton(onBack: () => void) {
  const latest = useRef(onBack)
  useEffect(() => {
    latest.current = onBack
  })
  useEffect(() => {
    if (!TELLS_OF_CLOSING) return
    let watcher: CloseWatcher
    const watch = () => {
      watcher = new CloseWatcher()
      watcher.onclose = () => {
        // Each watcher tells of one attempt to close. A person who may not leave stays, and may try again.
        watch()
        latest.current()
      }
    }
    watch()
    return () => watcher.destroy()
  }, [])
}

/**
 * A busy button can't take the focus. It gets the focus when it is done, unless the person has moved it elsewhere by then. Of one that is
 * closed then nobody knows when it opens, and one may be gone then: the heading gets it.
 */
function focusOnceDone(button: HTMLElement) {
  const canTakeIt = () => button.isConnected && !button.matches(':disabled')
  const focus = () => (canTakeIt() ? button.focus({ preventScroll: true }) : focusHeading())
  const isBusy = () => button.isConnected && button.matches('[data-loading]')
  if (!isBusy()) return focus()
  const watch = new MutationObserver(() => {
    if (isBusy()) return
    watch.disconnect()
    if (document.activeElement === document.body) focus()
  })
  watch.observe(document.body, { attributeFilter: ['data-loading'], childList: true, subtree: true })
}
