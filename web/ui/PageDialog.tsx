import { Dialog as Radix } from 'radix-ui'
import { useRef, useState, type ReactNode } from 'react'
import { cx } from './cx.ts'
import { DialogClose } from './DialogClose.tsx'
import { useFocusReturn } from './use-focus-return.ts'

interface PageDialogProps {
  title: ReactNode
  /** A line under the title. */
  byline?: ReactNode
  onClose: () => void
  /** It is the first thing that the page shows: it appears without motion. */
  isFirst?: boolean
  children: ReactNode
}

/**
 * A text that covers the page: title, byline and text stand in one column and scroll together. It opens with the focus
 * on the title. Escape closes it and focus returns. It has no portal, so that the server can render it. Without scripts
 * it is a part of the page, which cannot be closed.
 */
export function PageDialog({ title, byline, onClose, isFirst = false, children }: PageDialogProps) {
  const [hasMotion] = useState(!isFirst)
  const { onOpenAutoFocus, onCloseAutoFocus } = useFocusReturn()
  const heading = useRef<HTMLHeadingElement>(null)
  return (
    <Radix.Root open onOpenChange={(open) => !open && onClose()}>
      <Radix.Content
        onOpenAutoFocus={(event) => {
          onOpenAutoFocus()
          event.preventDefault()
          heading.current?.focus()
        }}
        onCloseAutoFocus={onCloseAutoFocus}
        {...(!byline && { 'aria-describedby': undefined })}
        className={cx(
          'fixed inset-0 z-40 overflow-y-auto overscroll-contain bg-surface px-5 pb-16 text-ink outline-none sm:px-8 noscript:static noscript:bg-transparent noscript:px-0 sm:noscript:px-0',
          hasMotion && 'data-[state=open]:animate-appear',
        )}
      >
        {/* Lines fade below the row of the button: none is cut in its middle, and none runs under the button. */}
        <div className="noscript:hidden pointer-events-none sticky top-0 z-10 -mr-3 flex justify-end bg-surface py-1 after:absolute after:inset-x-0 after:top-full after:h-5 after:bg-linear-to-b after:from-surface after:to-transparent sm:py-3">
          <DialogClose className="pointer-events-auto" />
        </div>
        <div className="reading-column pt-3 sm:pt-6">
          <Radix.Title asChild>
            <h1 ref={heading} tabIndex={-1} dir="auto" className="text-3xl font-semibold outline-none">
              {title}
            </h1>
          </Radix.Title>
          {byline && (
            <Radix.Description className="mt-3 font-sans text-sm text-ink-soft">{byline}</Radix.Description>
          )}
          <div className="mt-8">{children}</div>
        </div>
      </Radix.Content>
    </Radix.Root>
  )
}
