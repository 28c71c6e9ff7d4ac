import { Wordmark } from './Wordmark.tsx'

export type LoadingText = 'Loading Z!mmer...' | 'Loading...' | 'Loading onboarding...'

/** Covers everything while nothing can be used: the product's name at the start, words later. */
export function LoadingOverlay({ text }: { text: LoadingText }) {
  return (
    <output className="lamplight fixed inset-0 z-70 grid place-items-center bg-paper text-ink">
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
