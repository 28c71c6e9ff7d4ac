import type { LucideIcon } from 'lucide-react'
import type { ComponentProps } from 'react'
import { cx } from './cx.ts'
import { pressed } from './pressed.ts'
import { Tooltip, type Side } from './Tooltip.tsx'

interface IconButtonProps extends Omit<ComponentProps<'button'>, 'aria-label' | 'children'> {
  /** The accessible name of the button, shown as its tooltip too. */
  label: string
  icon: LucideIcon
  tooltipSide?: Side
  /** Work is going on: the button keeps its focus, and does nothing when pressed. */
  busy?: boolean
}

export function IconButton({
  label,
  icon: Icon,
  tooltipSide = 'top',
  type = 'button',
  busy = false,
  className,
  onClick,
  ...rest
}: IconButtonProps) {
  return (
    <Tooltip text={label} side={tooltipSide}>
      <button
        {...rest}
        type={type}
        aria-label={label}
        aria-busy={busy || undefined}
        aria-disabled={busy || undefined}
        onClick={busy ? undefined : onClick}
        className={cx(iconButtonClass, className)}
      >
        <Icon aria-hidden className="size-5" />
      </button>
    </Tooltip>
  )
}

interface IconLinkProps extends Omit<ComponentProps<'a'>, 'aria-label' | 'children' | 'onClick'> {
  href: string
  label: string
  icon: LucideIcon
  onPress: () => void
}

/** A link that looks like an icon button. A press opens it in this page, unless a key asks for another tab or window. */
export function IconLink({ href, label, icon: Icon, onPress, ...rest }: IconLinkProps) {
  return (
    <Tooltip text={label}>
      <a {...rest} href={href} aria-label={label} className={iconButtonClass} onClick={pressed(onPress)}>
        <Icon aria-hidden className="size-5" />
      </a>
    </Tooltip>
  )
}

const iconButtonClass =
  'touch grid size-9 shrink-0 place-items-center rounded-md text-ink-soft transition-colors duration-150 ease-out not-disabled:hover:bg-sunk not-disabled:hover:text-ink disabled:opacity-50 aria-disabled:opacity-50 aria-pressed:text-lamp aria-expanded:bg-sunk'
