import { Component, type ReactNode } from 'react'

interface BoundaryProps {
  /** Shown in place of the children once they have failed; `kept` is the text that was typed in them. */
  showFailure: (tryAgain: () => void, kept: ReactNode) => ReactNode
  onFailed?: () => void
  /** A change of `place` ends the failure. */
  place?: unknown
  children: ReactNode
}

interface State {
  hasFailed: boolean
  place: unknown
  /** All text areas of the page at the last failure. */
  fields: HTMLTextAreaElement[]
  /** What was typed in the failed children, until they are shown again. */
  texts: string[]
}

/**
 * Keeps a failure of its children, or a missing file of theirs, from the rest of the page. Text that was typed in them
 * stays readable, so that it can be copied.
 */
export class Boundary extends Component<BoundaryProps, State> {
  override state: State = { hasFailed: false, place: this.props.place, fields: [], texts: [] }

  // React calls this before it removes the failed children from the document.
  static getDerivedStateFromError = () => ({
    hasFailed: true,
    fields: [...document.querySelectorAll('textarea')],
  })

  static getDerivedStateFromProps = ({ place }: BoundaryProps, state: State) =>
    place === state.place ? null : { place, hasFailed: false }

  override componentDidCatch() {
    this.props.onFailed?.()
    this.setState(({ fields, texts }) => {
      const removed = fields.filter(({ isConnected, value }) => !isConnected && value !== '')
      // The failure of a further attempt finds the text areas of the last one.
      return { fields: [], texts: [...new Set([...texts, ...removed.map(({ value }) => value)])] }
    })
  }

  // React mounts the part a second time when `Suspense` shows it again.
  override componentDidMount() {
    this.componentDidUpdate()
  }

  override componentDidUpdate() {
    // Only the commit shows that the children did not fail again.
    // oxlint-disable-next-line react/no-did-update-set-state
    if (!this.state.hasFailed && this.state.texts.length > 0) this.setState({ texts: [] })
  }

  override render() {
    if (!this.state.hasFailed) return this.props.children
    return this.props.showFailure(
      () => this.setState({ hasFailed: false }),
      this.state.texts.map((text) => (
        <textarea key={text} readOnly rows={9} className="well" aria-label="Your text" value={text} />
      )),
    )
  }
}
