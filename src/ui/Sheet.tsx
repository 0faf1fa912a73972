import { useLingui } from '@lingui/react/macro'
import { Modal } from '@mantine/core'
import './sheetComponents.css'
import './print.css'
import { type ReactNode, useEffect, useRef } from 'react'
import { pageCoverStore } from '../browser/appLock.ts'
import { canTakeFocusBack, focusHeading } from './focusHeading.ts'
import { CloseIcon } from './icons/common.ts'
import { ScreenPart } from './ScreenPart.tsx'
import classes from './Sheet.module.css'

/** Whether the browser reports close requests: a phone's back button, or the Escape key. */
const REPORTS_CLOSE_REQUESTS = 'CloseWatcher' in globalThis

/** A dialog: a bottom sheet on a phone, a centered card elsewhere. It restores the focus when it closes. */
export function Sheet({
  title,
  onClose,
  isClosable = true,
  isFocusFree = false,
  returnTo,
  isPaid = false,
  foot,
  children,
}: {
  title: ReactNode
  onClose: () => void
  /**
   * Whether the sheet can be dismissed. False while a request is pending; requests time out, so this is
   * temporary.
   */
  isClosable?: boolean
  /** Whether the focus may leave the sheet, e.g. for the bank's 3-D Secure check above it. */
  isFocusFree?: boolean
  /**
   * Selector of the element to focus when the sheet closes if the button that opened it lost the focus, e.g.
   * because it was disabled while busy.
   */
  returnTo?: string
  /** Whether the sheet shows a completed payment. */
  isPaid?: boolean
  /** The main action, which stays in sight at the lower edge. */
  foot?: ReactNode
  children: ReactNode
}) {
  const { t } = useLingui()
  // A user who can't see the sheet does not close it.
  const close = () => isClosable && !pageCoverStore.get() && onClose()
  useBackButton(close)

  useEffect(() => {
    const opener = document.activeElement
    return () => {
      const ways = [opener, returnTo && document.querySelector(returnTo)]
      const way = ways.find(canTakeFocusBack)
      if (way) focusOnceDone(way)
      else focusHeading()
    }
  }, [returnTo])

  return (
    <Modal
      opened
      onClose={close}
      title={title}
      centered
      size="30rem"
      classNames={{
        content: classes.sheet,
        inner: classes.inner,
        title: classes.title,
        header: classes.header,
        body: classes.body,
        close: classes.close,
      }}
      // The library locks scrolling with an inline style sheet, which the security policy forbids, so
      // theme.css does it.
      lockScroll={false}
      overlayProps={{ color: 'var(--scrim)', backgroundOpacity: 1 }}
      transitionProps={{ transition: 'fade', duration: 160 }}
      closeOnClickOutside={false}
      closeOnEscape={isClosable && !REPORTS_CLOSE_REQUESTS}
      withCloseButton={isClosable}
      trapFocus={!isFocusFree}
      returnFocus={false}
      // A second header would count as a second banner.
      attributes={{ header: { role: 'none' } }}
      closeButtonProps={{ 'aria-label': t`Fermer`, icon: <CloseIcon /> }}
    >
      <ScreenPart isPaid={isPaid}>
        {children}
        {foot && (
          <div className={classes.foot} data-pinned="foot">
            {foot}
          </div>
        )}
      </ScreenPart>
    </Modal>
  )
}

/** Lets the phone's back button close the sheet instead of leaving the page, if the browser reports it. */
function useBackButton(onBack: () => void) {
  const latest = useRef(onBack)
  useEffect(() => {
    latest.current = onBack
  })
  useEffect(() => {
    if (!REPORTS_CLOSE_REQUESTS) return
    let watcher: CloseWatcher
    const watch = () => {
      watcher = new CloseWatcher()
      watcher.onclose = () => {
        // A watcher reports only one close request, and a sheet that can't be dismissed needs another
        // watcher.
        watch()
        latest.current()
      }
    }
    watch()
    return () => watcher.destroy()
  }, [])
}

/**
 * Focuses a busy button once it is enabled, unless the user has moved the focus. If it is disabled or removed
 * by then, the heading gets the focus.
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
