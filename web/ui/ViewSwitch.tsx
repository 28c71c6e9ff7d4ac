import type { ComponentProps, ComponentType } from 'react'
import { cx } from './cx.ts'

interface ViewSwitchProps {
  views: readonly { name: string; href: string }[]
  /** The address of the view that is shown. */
  current: string
  link: ComponentType<ComponentProps<'a'> & { href: string }>
}

export const viewsClass = 'inline-flex w-fit rounded-md border border-edge p-0.5 print:hidden'
export const viewClass = (isShown: boolean) =>
  cx(
    'touch inline-flex items-center rounded-md px-3 py-1 text-sm',
    isShown ? 'bg-lamp text-on-lamp' : 'text-ink-soft hover:text-ink',
  )

export function ViewSwitch({ views, current, link: Link }: ViewSwitchProps) {
  return (
    <nav aria-label="View" className={viewsClass}>
      {views.map(({ name, href }) => (
        <Link
          key={href}
          href={href}
          aria-current={href === current ? 'page' : undefined}
          className={viewClass(href === current)}
        >
          {name}
        </Link>
      ))}
    </nav>
  )
}
