import type { ComponentProps } from 'react'
import { Link } from 'wouter'
import { preloadPage } from './preload.ts'

/** A link to a page of this app. The page is fetched when a pointer or the focus reaches the link. */
export function PageLink({ href, ...rest }: Omit<ComponentProps<'a'>, 'href'> & { href: string }) {
  const preload = () => preloadPage(href)
  return <Link href={href} onPointerEnter={preload} onFocus={preload} {...rest} />
}
