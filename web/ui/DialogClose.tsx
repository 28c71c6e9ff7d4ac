import { X } from 'lucide-react'
import { Dialog as Radix } from 'radix-ui'
import { cx } from './cx.ts'

/** The button in the corner that closes the dialog around it. */
export function DialogClose({ className }: { className: string }) {
  return (
    <Radix.Close
      aria-label="Close"
      className={cx(
        'touch grid size-9 shrink-0 place-items-center rounded-md text-ink-soft hover:bg-sunk hover:text-ink',
        className,
      )}
    >
      <X aria-hidden className="size-5" />
    </Radix.Close>
  )
}
