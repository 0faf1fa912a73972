import { Trans } from '@lingui/react/macro'
import { Button, Loader } from '@mantine/core'
import { type ReactNode, Suspense, useEffect, useRef } from 'react'
import { focusHeading } from '../ui/focusHeading.ts'
import classes from './Page.module.css'

/** A page over the home screen. Specification, section 2: overlay pages. */
export function Page({
  title,
  onClose,
  children,
}: {
  title: ReactNode
  onClose: () => void
  children: ReactNode
}) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    const opener = document.activeElement
    heading.current?.focus({ preventScroll: true })
    return () => {
      if (opener instanceof HTMLElement && opener.isConnected && opener !== document.body) opener.focus()
      // What opened the page may be gone, as an item of a menu is.
      else focusHeading()
    }
  }, [])
  return (
    <main className={classes.page}>
      <div className={classes.head}>
        <Button
          variant="subtle"
          className={classes.back ?? ''}
          onClick={onClose}
          leftSection={
            <svg viewBox="0 0 24 24" className={classes.arrow} aria-hidden="true">
              <path d="M20 12H4m7-7-7 7 7 7" />
            </svg>
          }
        >
          <Trans>Retour</Trans>
        </Button>
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
      </div>
      <Suspense fallback={<Loader />}>{children}</Suspense>
    </main>
  )
}
