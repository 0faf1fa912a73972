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

const REPORTS_CLOSE_REQUESTS = 'CloseWatcher' in globalThis

/** The sheet restores the focus when it closes. */
export function Sheet({
  title,
  onClose,
  isClosable = true,
  isFocusFree = false,
  returnTo,
  isPaid = false,
  size = '30rem',
  foot,
  children,
}: {
  title: ReactNode
  onClose: () => void
  /** False while a request is pending; requests time out, so this is temporary. */
  isClosable?: boolean
  /** The bank's 3-D Secure check lies above the sheet. */
  isFocusFree?: boolean
  /**
   * Selector of the element to focus if the opener lost the focus, e.g. because it was disabled while busy.
   */
  returnTo?: string
  isPaid?: boolean
  /** Width on a wide screen. */
  size?: string
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
      size={size}
      classNames={{
        content: classes.sheet,
        inner: classes.inner,
        title: classes.title,
        header: classes.header,
        body: classes.body,
        close: classes.close,
      }}
      // The library's inline style sheet is forbidden by the security policy, so theme.css locks scrolling.
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
        // A watcher reports only one close request.
        watch()
        latest.current()
      }
    }
    watch()
    return () => watcher.destroy()
  }, [])
}

/** The heading gets the focus if the button is disabled or removed in the meantime. */
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
