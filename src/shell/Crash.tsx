import { Trans } from '@lingui/react/macro'
import { Component, type ReactNode } from 'react'
import { Emblem } from '../ui/Logo.tsx'
import { ReopenAdvice, ReopenButton } from '../ui/Reopen.tsx'
import classes from './WholeScreen.module.css'

/** Where a screen ends that can not be drawn. Nothing foreseen leads here; what was not foreseen must not be a blank page. */
export class Crash extends Component<{ children: ReactNode }, { isCrashed: boolean }> {
  override state = { isCrashed: false }

  static getDerivedStateFromError() {
    return { isCrashed: true }
  }

  override render() {
    return this.state.isCrashed ? <CrashScreen /> : this.props.children
  }
}

function CrashScreen() {
  return (
    <main className={classes.screen}>
      <Emblem />
      <div role="alert">
        <h1>
          <Trans>L’application a rencontré un problème.</Trans>
        </h1>
      </div>
      <ReopenAdvice />
      <ReopenButton />
    </main>
  )
}
