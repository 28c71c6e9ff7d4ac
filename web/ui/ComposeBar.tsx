import { SendHorizontal } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from './Button.tsx'
import { cx } from './cx.ts'
import { keepFocus } from './keep-focus.ts'

interface ComposeBarProps {
  /** Items were added below the window. */
  isBehind: boolean
  /** The label of the button that leads to them. */
  newBelow: string
  goToEnd: () => void
  /** Reaches to the edges of the column, or beyond. */
  className: string
  children: ReactNode
}

/** Sticks to the lower edge of the window, below a list that grows: the field in which a person writes the next item. */
export const ComposeBar = ({ isBehind, newBelow, goToEnd, className, children }: ComposeBarProps) => (
  <div
    className={cx(
      'sticky bottom-(--foot) -mx-4 flex flex-col gap-2 border-t border-line bg-paper px-4 py-3 transition-[bottom] duration-200 ease-out',
      className,
    )}
  >
    {isBehind && (
      <Button variant="quiet" className="absolute -top-12 self-center shadow-float" onClick={goToEnd}>
        {newBelow}
      </Button>
    )}
    {children}
  </div>
)

/** Submits the field beside it. */
export const SendButton = ({ disabled, className }: { disabled: boolean; className?: string }) => (
  <Button
    type="submit"
    aria-label="Send"
    disabled={disabled}
    className={cx('min-h-11', className)}
    onMouseDown={keepFocus}
  >
    <SendHorizontal aria-hidden className="size-5" />
  </Button>
)
