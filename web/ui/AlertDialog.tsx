import { type ReactNode, useEffect, useEffectEvent, useId, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { Button } from './Button.tsx'
import { focusedNow } from './dialog-focus.ts'

/** Whether the button of the verb was pressed, or 'other' for the second button. */
export type Answer = boolean | 'other'

interface AlertDialogProps {
  text: string
  /** The text of the confirming button: 'OK', or the verb of the action. */
  verb: string
  /** A second button that does something else. */
  otherVerb?: string | undefined
  /** The dialog has a Cancel button; without one it is a notice. */
  canCancel?: boolean
  /** The action cannot be undone. */
  danger?: boolean
  /** The action of the verb is being done. */
  busy?: boolean
  onAnswer: (answer: Answer) => void
  /** Stands between the text and the buttons. */
  children?: ReactNode
}

/**
 * Shown by `useAlert`, `useConfirm` and `failedDialog`. It is the browser's own dialog element: the library's alert
 * dialog is too large for the first bundle, and an alert must not depend on a file that can be missing.
 */
export function AlertDialog({
  text,
  verb,
  otherVerb,
  canCancel = false,
  danger = false,
  busy = false,
  onAnswer,
  children,
}: AlertDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  const [opener] = useState(focusedNow)
  // A dialog of the library below this one listens on the document, and would close as well.
  const closeOnEscape = useEffectEvent((event: KeyboardEvent) => {
    const newest = [...document.querySelectorAll('dialog[open]')].at(-1)
    if (event.key !== 'Escape' || newest !== dialog.current) return
    event.preventDefault()
    event.stopPropagation()
    onAnswer(false)
  })

  useEffect(() => {
    dialog.current?.showModal()
    addEventListener('keydown', closeOnEscape, true)
    return () => {
      removeEventListener('keydown', closeOnEscape, true)
      opener?.focus()
    }
  }, [opener])

  return createPortal(
    <dialog
      ref={dialog}
      role="alertdialog"
      aria-labelledby={titleId}
      onCancel={(event) => {
        // The browser closes the dialog after an event that cannot be prevented, and `close` follows.
        if (!event.cancelable) return
        event.preventDefault()
        onAnswer(false)
      }}
      onClose={() => onAnswer(false)}
      onPointerDown={(event) => event.stopPropagation()}
      className="pointer-events-auto fixed inset-0 m-auto h-fit max-h-[90dvh] w-[calc(100%-2rem)] max-w-md animate-rise overflow-y-auto rounded-lg border border-line bg-surface p-6 text-ink shadow-float outline-none backdrop:bg-scrim"
    >
      <h2 id={titleId} className="text-lg font-normal whitespace-pre-line">
        {text}
      </h2>
      {children}
      <div className="mt-6 flex flex-wrap justify-end gap-3">
        {canCancel && (
          <Button autoFocus variant="quiet" onClick={() => onAnswer(false)}>
            Cancel
          </Button>
        )}
        {otherVerb && (
          <Button variant="danger" onClick={() => onAnswer('other')}>
            {otherVerb}
          </Button>
        )}
        <Button
          autoFocus={!canCancel}
          variant={danger ? 'danger' : 'primary'}
          busy={busy}
          onClick={() => onAnswer(true)}
        >
          {verb}
        </Button>
      </div>
    </dialog>,
    document.body,
  )
}
