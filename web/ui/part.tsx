import { type ComponentType, lazy, type ReactNode, Suspense, useState } from 'react'
import { AlertDialog } from './AlertDialog.tsx'
import { Boundary } from './Boundary.tsx'
import { Button } from './Button.tsx'
import { QuietLine } from './QuietLine.tsx'
import { withRetries } from './with-retries.ts'

/** Draws what stands in the place of a failed part. `kept` is the text that the person had typed in it, to be copied. */
export type ShowFailure<Props> = (tryAgain: () => void, kept: ReactNode, props: Props) => ReactNode

/**
 * A component whose file is fetched when it is first shown. Until then `waiting` is shown; with null it waits inside a
 * `Suspense` of the caller, as pages do in the frame. When the file cannot be fetched, `showFailure` draws what stands in
 * its place, and nothing else of the page is lost.
 */
export function part<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  showFailure: ShowFailure<Props>,
  waiting?: ((props: Props) => ReactNode) | null,
) {
  let loaded: ComponentType<Props> | undefined
  const fetched = withRetries(load)
  const preload = async () => ({ default: (loaded = await fetched()) })
  // React caches the failure of a lazy component: each attempt needs a new one.
  let next = lazy(preload)
  function Part(props: Props) {
    // Keep the component for the life of this part: replacing it would lose its state.
    const [Shown, setShown] = useState<ComponentType<Props>>(() => loaded ?? next)
    const shown = (
      <Boundary
        place={Shown}
        onFailed={() => {
          next = lazy(preload)
        }}
        showFailure={(_, kept) => showFailure(() => setShown(() => next), kept, props)}
      >
        <Shown {...props} />
      </Boundary>
    )
    return waiting === null ? shown : <Suspense fallback={waiting?.(props)}>{shown}</Suspense>
  }
  return Object.assign(Part, { preload })
}

/** For a page, or the largest part of one. */
export const failedPage = (tryAgain: () => void, kept: ReactNode): ReactNode => (
  <>
    <FailedPage tryAgain={tryAgain} />
    {kept}
  </>
)

function FailedPage({ tryAgain }: { tryAgain: () => void }) {
  return (
    <div className="flex flex-col items-center gap-4 px-4 py-12 text-center">
      <div role="alert">
        <h1 className="text-lg">This page could not be shown.</h1>
        <p className="text-sm text-ink-soft">
          If it fails again, reload the page. Drafts are kept on this device.
        </p>
      </div>
      <Button
        variant="quiet"
        onClick={() => {
          document.getElementById('main')?.focus()
          tryAgain()
        }}
      >
        Try again
      </Button>
    </div>
  )
}

/** For a part inside a page. */
export const failedLine = (tryAgain: () => void, kept: ReactNode): ReactNode => (
  <>
    <QuietLine text="This part could not be loaded." onTryAgain={tryAgain} />
    {kept}
  </>
)

/** For a button in a row of buttons. */
export const failedButton = (
  tryAgain: () => void,
  kept: ReactNode,
  { className }: { className?: string },
): ReactNode => (
  <>
    <button type="button" className={className} onClick={tryAgain}>
      Try again
    </button>
    {kept}
  </>
)

/** For a dialog. */
export const failedDialog = (
  tryAgain: () => void,
  kept: ReactNode,
  { onClose }: { onClose: () => void },
): ReactNode => (
  <AlertDialog
    text="This part could not be loaded. Check the connection and try again."
    verb="Try again"
    canCancel
    onAnswer={(yes) => (yes ? tryAgain() : onClose())}
  >
    {kept}
  </AlertDialog>
)
