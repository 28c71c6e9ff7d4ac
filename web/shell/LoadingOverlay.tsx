import { Wordmark } from '#web/ui/Wordmark.tsx'

export type LoadingText = 'Loading Z!mmer...' | 'Loading...' | 'Loading onboarding...'

/** Covers the window while the page cannot be used, or with `isInFrame` only the place of the page inside the frame. */
export function LoadingOverlay({ text, isInFrame = false }: { text: LoadingText; isInFrame?: boolean }) {
  return (
    <output
      className={`grid place-items-center text-ink ${isInFrame ? 'min-h-[60dvh]' : 'lamplight fixed inset-0 z-70 bg-paper'}`}
    >
      <span className="font-serif text-2xl">
        {text === 'Loading Z!mmer...' ? (
          <>
            Loading <Wordmark />
            ...
          </>
        ) : (
          text
        )}
      </span>
    </output>
  )
}
