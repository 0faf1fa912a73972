import { Component, type ErrorInfo, type ReactNode } from 'react'
import { reportError } from '../browser/reportError.ts'

interface Props {
  /** Renders a replacement for children that can't be rendered. `retry` mounts them again. */
  instead: (retry: () => void) => ReactNode
  children: ReactNode
}

/** Replaces its children if they can't be rendered, so that the rest of the app stays. */
export class ErrorBoundary extends Component<Props, { isBroken: boolean }> {
  override state = { isBroken: false }

  static getDerivedStateFromError() {
    return { isBroken: true }
  }

  override componentDidCatch(error: unknown, { componentStack }: ErrorInfo) {
    reportError('caught', error, componentStack)
  }

  override render() {
    const { instead, children } = this.props
    return this.state.isBroken ? instead(() => this.setState({ isBroken: false })) : children
  }
}
