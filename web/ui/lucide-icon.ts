import { type ComponentProps, createElement } from 'react'

/**
 * A part of an icon: the name of an SVG element and its attributes. The parts are no list for React, so that they need no keys:
 * `dropKeysOfIcons` of the build removes them.
 */
type Shape = [name: string, attributes: Record<string, string>]

/**
 * Replaces `createLucideIcon` of `lucide-react`, whose code for other frameworks is as large as all icons of the first
 * page. The stylesheet sets the size, and mirrors some by name where lines run from right to left; `currentColor` is the colour.
 */
export default function createLucideIcon({ name, node }: { name: string; node: Shape[] }) {
  return (props: ComponentProps<'svg'>) =>
    createElement(
      'svg',
      {
        viewBox: '0 0 24 24',
        width: 24,
        height: 24,
        fill: 'none',
        stroke: 'currentColor',
        strokeWidth: 2,
        strokeLinecap: 'round',
        strokeLinejoin: 'round',
        'data-icon': name,
        ...props,
      },
      ...node.map(([name, attributes]) => createElement(name, attributes)),
    )
}
