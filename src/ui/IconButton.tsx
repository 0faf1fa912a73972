import type { ComponentProps } from 'react'
import classes from './IconButton.module.css'
import type { Icon } from './icons/createIcon.tsx'

export const IconButton = ({
  icon: ButtonIcon,
  label,
  isMain = false,
  ...button
}: ComponentProps<'button'> & { icon: Icon; label: string; isMain?: boolean }) => (
  <button
    type="button"
    translate="no"
    className={classes.button}
    data-main={isMain}
    aria-label={label}
    {...button}
  >
    <ButtonIcon />
  </button>
)
