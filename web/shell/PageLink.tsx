import type { ComponentProps } from 'react'
import { Link } from 'wouter'
import { preloadPage } from './preload.ts'

/** A link inside the house: its page is fetched as soon as somebody points at it. */
export function PageLink({ href, ...rest }: Omit<ComponentProps<'a'>, 'href'> & { href: string }) {
  const preload = () => preloadPage(href)
  return <Link href={href} onPointerEnter={preload} onFocus={preload} {...rest} />
}
