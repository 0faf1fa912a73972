import { Component, type ErrorInfo, type ReactNode } from 'react'
import { reportError } from '../browser/reportError.ts'

interface Props {
  /** `retry` mounts them again. */
  instead: (retry: () => void) => ReactNode
  children: ReactNode
}

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
