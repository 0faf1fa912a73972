import { Loader } from '@mantine/core'
import type { ComponentProps, ReactNode } from 'react'
import type { Icon } from '../../ui/icons/createIcon.tsx'
import classes from './Receipt.module.css'

export const RoundAction = ({
  icon: Icon,
  isBusy = false,
  children,
  ...button
}: { icon: Icon; isBusy?: boolean; children: ReactNode } & ComponentProps<'button'>) => (
  <button type="button" translate="no" className={classes.action} {...button}>
    <span>{isBusy ? <Loader size="sm" color="currentColor" /> : <Icon />}</span>
    {children}
  </button>
)
