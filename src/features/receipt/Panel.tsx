import { useLingui } from '@lingui/react/macro'
import { type ReactNode, useEffect, useId, useRef } from 'react'
import { returnFocus } from '../../ui/focusHeading.ts'
import { IconButton } from '../../ui/IconButton.tsx'
import { CloseIcon } from '../../ui/icons/common.ts'
import { ScreenPart } from '../../ui/ScreenPart.tsx'
import classes from './Panel.module.css'

/** The list stays usable: another row replaces the panel. */
export function Panel({
  title,
  onClose,
  children,
}: {
  title: ReactNode
  onClose: () => void
  children: ReactNode
}) {
  const { t } = useLingui()
  const panel = useRef<HTMLElement>(null)
  const id = useId()
  useEffect(() => {
    const opener = document.activeElement
    // The page opens the newest receipt by itself.
    if (document.querySelector('[data-asked]')) panel.current?.focus({ preventScroll: true })
    return () => {
      if (document.activeElement === document.body) returnFocus(opener)
    }
  }, [])
  return (
    <section
      ref={panel}
      role="dialog"
      aria-labelledby={id}
      tabIndex={-1}
      className={classes.panel}
      onKeyDown={({ key }) => key === 'Escape' && onClose()}
    >
      <div className={classes.header}>
        <h2 id={id}>{title}</h2>
        <IconButton icon={CloseIcon} label={t`Fermer`} onClick={onClose} />
      </div>
      <ScreenPart isPaid>{children}</ScreenPart>
    </section>
  )
}
