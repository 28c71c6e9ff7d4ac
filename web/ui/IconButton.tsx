import type { LucideIcon } from 'lucide-react'
import type { ComponentProps } from 'react'
import { cx } from './cx.ts'
import { Tooltip, type Side } from './Tooltip.tsx'

interface IconButtonProps extends Omit<ComponentProps<'button'>, 'aria-label' | 'children'> {
  /** The accessible name of the button, shown as its tooltip too. */
  label: string
  icon: LucideIcon
  tooltipSide?: Side
}

export function IconButton({
  label,
  icon: Icon,
  tooltipSide = 'top',
  type = 'button',
  className,
  ...rest
}: IconButtonProps) {
  return (
    <Tooltip text={label} side={tooltipSide}>
      <button {...rest} type={type} aria-label={label} className={cx(iconButtonClass, className)}>
        <Icon aria-hidden className="size-5" />
      </button>
    </Tooltip>
  )
}

const iconButtonClass =
  'touch grid size-9 shrink-0 place-items-center rounded-md text-ink-soft transition-colors duration-150 ease-out enabled:hover:bg-sunk enabled:hover:text-ink disabled:opacity-50 aria-pressed:text-lamp aria-expanded:bg-sunk'
