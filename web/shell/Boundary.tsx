import { Component, type ReactNode } from 'react'
import { FailedState } from '#web/ui/FailedState.tsx'

interface BoundaryProps {
  /** Another place is another chance. */
  place: string
  children: ReactNode
}

/** A page that breaks, or cannot be fetched, leaves the rest of the house standing. */
export class Boundary extends Component<BoundaryProps, { place: string; isBroken: boolean }> {
  override state = { place: this.props.place, isBroken: false }

  static getDerivedStateFromError = () => ({ isBroken: true })

  static getDerivedStateFromProps = ({ place }: BoundaryProps, state: { place: string }) =>
    place === state.place ? null : { place, isBroken: false }

  override render() {
    if (!this.state.isBroken) return this.props.children
    return <FailedState text="This page could not be shown." onTryAgain={() => location.reload()} />
  }
}
