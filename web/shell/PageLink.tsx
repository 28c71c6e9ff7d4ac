import type { ComponentProps } from 'react'
import { navigate } from 'wouter/use-browser-location'
import { pressed } from '#web/ui/pressed.ts'
import { preloadPage } from './preload.ts'

/**
 * A link to a page of this app. The page is fetched when a pointer or the focus reaches the link. Unlike a `Link` of the router it is
 * not rendered again for each address.
 */
export function PageLink({
  href,
  children,
  ...rest
}: Omit<ComponentProps<'a'>, 'href' | 'onClick'> & { href: string }) {
  const preload = () => preloadPage(href)
  return (
    <a
      href={href}
      onPointerEnter={preload}
      onFocus={preload}
      onClick={pressed(() => navigate(href))}
      {...rest}
    >
      {children}
    </a>
  )
}
