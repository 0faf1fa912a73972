import { useLingui } from '@lingui/react/macro'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { returnFocus } from '../ui/focusHeading.ts'
import { IconButton } from '../ui/IconButton.tsx'
import { BackIcon } from '../ui/icons/common.ts'
import { PageAsidePlace } from '../ui/PageAside.tsx'
import { ScreenPart } from '../ui/ScreenPart.tsx'
import classes from './Page.module.css'

/** Specification, section 2: overlay pages. */
export function Page({
  title,
  onClose,
  children,
}: {
  title: ReactNode
  onClose: () => void
  children: ReactNode
}) {
  const { t } = useLingui()
  const heading = useRef<HTMLHeadingElement>(null)
  const [aside, setAside] = useState<HTMLElement | null>(null)
  useEffect(() => {
    const opener = document.activeElement
    heading.current?.focus({ preventScroll: true })
    return () => returnFocus(opener)
  }, [])
  return (
    <main className={classes.page}>
      <div className={classes.head}>
        <IconButton icon={BackIcon} label={t`Retour`} onClick={onClose} />
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        <div ref={setAside} className={classes.aside} />
      </div>
      <ScreenPart>
        <PageAsidePlace value={aside}>{children}</PageAsidePlace>
      </ScreenPart>
    </main>
  )
}
