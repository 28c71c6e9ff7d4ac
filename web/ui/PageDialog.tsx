import { Dialog as Radix } from 'radix-ui'
import { useEffect, useRef, type ReactNode } from 'react'
import { DialogClose } from './DialogClose.tsx'
import { useDialogFocus } from './dialog-focus.ts'

interface PageDialogProps {
  title: ReactNode
  /** A line under the title. */
  byline?: ReactNode
  /** Stands between the title and the byline. */
  belowTitle?: ReactNode
  /** Names the text that is shown: another one begins at the top, with the focus on its title. Left out while it loads. */
  page?: string
  onClose: () => void
  /** Finds the element that has the focus after closing. Null: the one that had it before. */
  focusAfter?: () => HTMLElement | null
  children: ReactNode
}

/**
 * A text that covers the page: title, byline and text stand in one column and scroll together. It opens with the focus
 * on the title. Escape closes it and focus returns. It has no portal, so that it is printed as a part of the page.
 */
export function PageDialog({
  title,
  byline,
  belowTitle,
  page,
  onClose,
  focusAfter,
  children,
}: PageDialogProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  const focus = useDialogFocus(() => heading.current, focusAfter)
  const shown = useRef(page)
  useEffect(() => {
    if (page === undefined) return
    if (shown.current !== undefined && shown.current !== page) {
      heading.current?.closest('[role=dialog]')?.scrollTo(0, 0)
      heading.current?.focus()
    }
    shown.current = page
  }, [page])
  return (
    <Radix.Root open onOpenChange={(open) => !open && onClose()}>
      <Radix.Content
        {...focus}
        {...(!byline && { 'aria-describedby': undefined })}
        className="fixed inset-0 z-40 [--text-ground:var(--surface)] [--text-top:3.25rem] overflow-y-auto overscroll-contain bg-surface px-5 pb-16 text-ink outline-none data-[state=open]:animate-appear sm:px-8 sm:[--text-top:4.25rem] print:static print:p-0"
      >
        {/* Lines fade below the row of the button: none is cut in its middle, and none runs under the button. */}
        <div className="pointer-events-none sticky top-0 z-10 -me-3 flex h-(--text-top) items-center justify-end bg-surface after:absolute after:inset-x-0 after:top-full after:h-5 after:bg-linear-to-b after:from-surface after:to-transparent print:hidden">
          <DialogClose className="pointer-events-auto" />
        </div>
        <div className="reading-column pt-3 sm:pt-6">
          <Radix.Title asChild>
            <h1 ref={heading} tabIndex={-1} dir="auto" className="text-3xl font-semibold outline-none">
              {title}
            </h1>
          </Radix.Title>
          {belowTitle}
          {byline && (
            <Radix.Description className="mt-3 font-sans text-sm text-ink-soft">{byline}</Radix.Description>
          )}
          <div className="mt-8">{children}</div>
        </div>
      </Radix.Content>
    </Radix.Root>
  )
}
