import { LoaderCircle } from 'lucide-react'
import type { ComponentProps } from 'react'
import { cx } from './cx.ts'

export type ButtonVariant = 'primary' | 'quiet' | 'danger' | 'link'

interface ButtonProps extends ComponentProps<'button'> {
  variant?: ButtonVariant
  /** Work is going on: the button keeps its place and focus, and does nothing when pressed. */
  busy?: boolean
}

export function Button({
  variant = 'primary',
  busy = false,
  type = 'button',
  className,
  children,
  onClick,
  ...rest
}: ButtonProps) {
  return (
    <button
      {...rest}
      type={busy ? 'button' : type}
      aria-busy={busy || undefined}
      aria-disabled={busy || undefined}
      onClick={busy ? undefined : onClick}
      className={buttonClass(variant, className)}
    >
      {busy && <LoaderCircle aria-hidden className="size-4 animate-spin" />}
      {children}
    </button>
  )
}

/** The look of a button, for a link that is pressed like one. */
export const buttonClass = (variant: ButtonVariant = 'primary', className?: string) =>
  cx(
    'touch inline-flex items-center justify-center gap-2 rounded-md font-medium whitespace-nowrap select-none',
    'transition-colors duration-150 ease-out disabled:opacity-60 aria-disabled:opacity-60',
    looks[variant],
    className,
  )

const looks: Record<ButtonVariant, string> = {
  primary: 'min-h-9 bg-lamp px-4 py-1.5 text-sm text-on-lamp not-disabled:hover:bg-lamp-strong',
  quiet:
    'min-h-9 border border-edge bg-surface px-4 py-1.5 text-sm text-ink not-disabled:hover:border-ink-soft not-disabled:hover:bg-sunk',
  danger: 'min-h-9 bg-bad px-4 py-1.5 text-sm text-on-bad not-disabled:hover:bg-bad-strong',
  link: 'text-lamp underline decoration-1 underline-offset-4 not-disabled:hover:text-lamp-strong',
}
