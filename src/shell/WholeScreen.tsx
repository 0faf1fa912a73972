import type { ReactNode } from 'react'
import { RaisedBridge } from './RaisedBridge.tsx'
import classes from './WholeScreen.module.css'

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
