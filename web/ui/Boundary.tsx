import { Component, type ReactNode } from 'react'

interface BoundaryProps {
  /** Shown in place of the children once they have failed. */
  failed: (tryAgain: () => void) => ReactNode
  onFailed?: () => void
  /** A failure ends when this changes. */
  place?: unknown
  children: ReactNode
}

interface State {
  hasFailed: boolean
  place: unknown
  fields: HTMLTextAreaElement[]
}

/**
 * Keeps a failure of its children, or a missing file of theirs, from the rest of the page. Text that was typed in them
 * stays readable, so that it can be copied.
 */
export class Boundary extends Component<BoundaryProps, State> {
  override state: State = { hasFailed: false, place: this.props.place, fields: [] }

  // React calls this before it removes the failed children from the document.
  static getDerivedStateFromError = () => ({
    hasFailed: true,
    fields: [...document.querySelectorAll('textarea')],
  })

  static getDerivedStateFromProps = ({ place }: BoundaryProps, state: State) =>
    place === state.place ? null : { place, hasFailed: false }

  override componentDidCatch() {
    this.props.onFailed?.()
    this.setState(({ fields }) => ({ fields: fields.filter(({ isConnected }) => !isConnected) }))
  }

  override render() {
    if (!this.state.hasFailed) return this.props.children
    return (
      <>
        {this.props.failed(() => this.setState({ hasFailed: false }))}
        {this.state.fields.map(
          ({ value }, i) =>
            value && (
              <textarea key={i} readOnly rows={9} className="well" aria-label="Your text" value={value} />
            ),
        )}
      </>
    )
  }
}
