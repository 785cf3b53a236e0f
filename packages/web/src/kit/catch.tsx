/** Catches what a screen throws, so that the rest of the page stays. */
import { Component, type ReactNode } from 'react'

export interface CatchProps {
  readonly children: ReactNode
  readonly shown: (error: Error, retry: () => void) => ReactNode
}

interface CatchState {
  readonly error: Error | null
}

export class Catch extends Component<CatchProps, CatchState> {
  override state: CatchState = { error: null }

  static getDerivedStateFromError(error: unknown): CatchState {
    return { error: error instanceof Error ? error : new Error(String(error)) }
  }

  override render(): ReactNode {
    const { error } = this.state
    return error === null
      ? this.props.children
      : this.props.shown(error, () => this.setState({ error: null }))
  }
}
