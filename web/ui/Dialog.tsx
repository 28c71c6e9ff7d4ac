import { X } from 'lucide-react'
import { Dialog as Radix } from 'radix-ui'
import type { ReactNode } from 'react'
import { cx } from './cx.ts'
import { useFocusReturn } from './use-focus-return.ts'

interface DialogProps {
  title: ReactNode
  /** A sentence under the title. */
  description?: ReactNode
  size?: 'small' | 'medium' | 'large'
  /** Who opens a form can type at once. */
  startsInField?: boolean
  open: boolean
  onOpenChange: (open: boolean) => void
  /** Stands below the scrolling body: the dialog's buttons. */
  footer?: ReactNode
  children: ReactNode
}

/** A card over the page; on phones a sheet of the full height. Escape closes it and focus returns. */
export function Dialog({
  title,
  description,
  size = 'medium',
  startsInField = false,
  open,
  onOpenChange,
  footer,
  children,
}: DialogProps) {
  const { onOpenAutoFocus, onCloseAutoFocus } = useFocusReturn()
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 data-[state=open]:animate-appear bg-scrim" />
        <Radix.Content
          onOpenAutoFocus={(event) => {
            onOpenAutoFocus()
            if (startsInField) focusFirstField(event)
          }}
          onCloseAutoFocus={onCloseAutoFocus}
          {...(!description && { 'aria-describedby': undefined })}
          className={cx(
            'fixed inset-x-0 top-0 z-40 flex h-dvh data-[state=open]:animate-rise flex-col bg-surface text-ink shadow-float outline-none',
            'sm:inset-0 sm:m-auto sm:h-fit sm:max-h-[min(90dvh,60rem)] sm:w-[calc(100%-3rem)] sm:rounded-lg sm:border sm:border-line',
            widths[size],
          )}
        >
          <header className="flex items-start gap-4 px-5 pt-5 pb-3 sm:px-6">
            <div className="min-w-0 flex-1">
              <Radix.Title className="text-xl font-semibold">{title}</Radix.Title>
              {description && (
                <Radix.Description className="mt-1 text-sm text-ink-soft">{description}</Radix.Description>
              )}
            </div>
            <Radix.Close
              aria-label="Close"
              className="touch -mt-1 -mr-2 grid size-9 shrink-0 place-items-center rounded-md text-ink-soft hover:bg-sunk hover:text-ink"
            >
              <X aria-hidden className="size-5" />
            </Radix.Close>
          </header>
          <div className="min-h-0 flex-1 overflow-y-auto overscroll-contain px-5 pt-1 pb-5 sm:px-6">
            {children}
          </div>
          {footer && (
            <footer className="flex flex-wrap justify-end gap-3 border-t border-line px-5 py-4 sm:px-6">
              {footer}
            </footer>
          )}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

/** Not where that would raise a keyboard over the form: there they touch first. */
function focusFirstField(event: Event) {
  const field = (event.currentTarget as HTMLElement).querySelector<HTMLElement>(
    'input:not([disabled]), textarea:not([disabled])',
  )
  if (field === null || matchMedia('(pointer: coarse)').matches) return
  event.preventDefault()
  field.focus()
}

const widths = { small: 'sm:max-w-md', medium: 'sm:max-w-xl', large: 'sm:max-w-4xl' }
