import { Dialog as Radix } from 'radix-ui'
import { type ReactNode, useRef } from 'react'
import { Button } from './Button.tsx'
import { cx } from './cx.ts'
import { DialogClose } from './DialogClose.tsx'
import { useDialogFocus } from './dialog-focus.ts'

interface DialogProps {
  title: ReactNode
  /** A sentence under the title. */
  description?: ReactNode
  /** One `field` is a card on a phone too; all others are sheets of the full height there. */
  size?: 'field' | 'small' | 'medium' | 'large'
  /** Focus starts in the first field, so that a person can type at once; on touch screens it starts on the title. */
  startsInField?: boolean
  /** Finds what has the focus after the dialog, if not what had it before. */
  focusAfter?: () => HTMLElement | null
  onClose: () => void
  /** A press beside the dialog does not close it: it shows something that is not shown again. */
  staysOpen?: boolean
  /** Stands below the scrolling body. */
  footer?: ReactNode
  /** The buttons that do what the dialog asks for. They are the footer, after a button that cancels. */
  actions?: ReactNode
  children: ReactNode
}

/**
 * Covers the page until it is closed. Focus starts on the title, not on the button that closes. Escape closes the
 * dialog, and the focus returns to where it was.
 */
export function Dialog({
  title,
  description,
  size = 'medium',
  startsInField = false,
  focusAfter,
  onClose,
  staysOpen = false,
  footer,
  actions,
  children,
}: DialogProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  const focus = useDialogFocus(
    (dialog) => (startsInField ? firstFieldOf(dialog) : null) ?? heading.current,
    focusAfter,
  )
  return (
    <Radix.Root open onOpenChange={(open) => !open && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 data-[state=open]:animate-appear bg-scrim" />
        <Radix.Content
          {...focus}
          {...(staysOpen && { onPointerDownOutside: (event) => event.preventDefault() })}
          {...(!description && { 'aria-describedby': undefined })}
          className={cx(
            'fixed z-40 flex data-[state=open]:animate-rise flex-col overflow-clip bg-surface text-ink shadow-float outline-none',
            size === 'field'
              ? 'inset-x-4 top-4 h-fit max-h-[calc(100dvh-2rem)] rounded-lg border border-line'
              : 'inset-x-0 top-0 h-dvh',
            'sm:inset-0 sm:m-auto sm:h-fit sm:max-h-[min(90dvh,60rem)] sm:w-[calc(100%-3rem)] sm:rounded-lg sm:border sm:border-line',
            widths[size],
          )}
        >
          <header className="flex items-start gap-4 px-5 pt-5 pb-3 sm:px-6">
            <div className="min-w-0 flex-1">
              <Radix.Title ref={heading} tabIndex={-1} className="text-xl font-semibold outline-none">
                {title}
              </Radix.Title>
              {description && (
                <Radix.Description className="mt-1 text-sm text-ink-soft">{description}</Radix.Description>
              )}
            </div>
            <DialogClose className="-mt-1 -me-2" />
          </header>
          {/* Lines being written and controls in focus stay above a row that sticks to the lower edge, and a field with its error in sight. */}
          <div className="min-h-0 flex-1 overflow-y-auto overscroll-contain scroll-pb-20 px-5 pt-1 pb-5 has-data-foot:scroll-pt-3 sm:px-6">
            {children}
          </div>
          {(footer || actions) && (
            <footer className="flex flex-wrap justify-end gap-3 border-t border-line px-5 py-4 sm:px-6">
              {actions && (
                <Button variant="quiet" onClick={onClose}>
                  Cancel
                </Button>
              )}
              {actions ?? footer}
            </footer>
          )}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

/** None on touch screens: there the focus would open a keyboard over the form. */
function firstFieldOf(dialog: HTMLElement): HTMLElement | null {
  if (matchMedia('(pointer: coarse)').matches) return null
  return dialog.querySelector<HTMLElement>('input:not([disabled]), textarea:not([disabled])')
}

const widths = {
  field: 'sm:max-w-md',
  small: 'sm:max-w-md',
  medium: 'sm:max-w-xl',
  large: 'sm:max-w-4xl',
}
