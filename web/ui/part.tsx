import { type ComponentType, lazy, type ReactNode, useState } from 'react'
import { AlertDialog } from './AlertDialog.tsx'
import { Boundary } from './Boundary.tsx'
import { Button } from './Button.tsx'
import { QuietLine } from './QuietLine.tsx'
import { retried } from './retried.ts'

type Failed<Props> = (tryAgain: () => void, props: Props) => ReactNode

/**
 * A component whose file is fetched when it is first shown, inside a `Suspense` of the caller. When the file cannot be
 * fetched, `failed` is shown in its place, and nothing else of the page is lost.
 */
export function part<Props extends object>(load: () => Promise<ComponentType<Props>>, failed: Failed<Props>) {
  let loaded: ComponentType<Props> | undefined
  const fetched = retried(load)
  const preload = async () => ({ default: (loaded = await fetched()) })
  // A lazy component keeps its failure, so that each further attempt needs another one.
  let next = lazy(preload)
  function Part(props: Props) {
    // A component that was there from the start stays: another one in its place would lose its state.
    const [Shown, setShown] = useState<ComponentType<Props>>(() => loaded ?? next)
    return (
      <Boundary
        place={Shown}
        onFailed={() => {
          next = lazy(preload)
        }}
        failed={() => failed(() => setShown(() => next), props)}
      >
        <Shown {...props} />
      </Boundary>
    )
  }
  return Object.assign(Part, { preload })
}

/** For a page, or the largest part of one. */
export const failedPage = (tryAgain: () => void): ReactNode => (
  <div className="flex flex-col items-center gap-4 px-4 py-12 text-center">
    <div role="alert">
      <p className="font-serif text-lg">This page could not be shown.</p>
      <p className="text-sm text-ink-soft">
        If it fails again, reload the page. Drafts are kept on this device.
      </p>
    </div>
    <Button variant="quiet" onClick={tryAgain}>
      Try again
    </Button>
  </div>
)

/** For a part inside a page. */
export const failedLine = (tryAgain: () => void): ReactNode => (
  <QuietLine text="This part could not be loaded." onTryAgain={tryAgain} />
)

/** For a dialog. */
export const failedDialog = (tryAgain: () => void, { onClose }: { onClose: () => void }): ReactNode => (
  <AlertDialog
    text="This could not be opened. What you typed is still here."
    verb="Try again"
    canCancel
    onAnswer={(yes) => (yes ? tryAgain() : onClose())}
  />
)
