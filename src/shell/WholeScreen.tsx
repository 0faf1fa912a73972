import type { ReactNode } from 'react'
import { RaisedBridge } from '../ui/drawings/RaisedBridge.tsx'
import classes from './WholeScreen.module.css'

/** Screen shown if the app can't be opened: says why, and what to do next. */
export const WholeScreen = ({
  title,
  isAlert = false,
  action,
  children,
}: {
  title: ReactNode
  isAlert?: boolean
  action: ReactNode
  children: ReactNode
}) => (
  <main className={classes.screen}>
    <RaisedBridge />
    <div role={isAlert ? 'alert' : undefined}>
      <h1>{title}</h1>
    </div>
    {children}
    {action}
  </main>
)
