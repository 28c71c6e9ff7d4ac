import { type Ref, type RefObject, useImperativeHandle } from 'react'

interface ButtonElsewhereProps {
  button: RefObject<HTMLElement | null>
  ref?: Ref<HTMLElement>
}

/**
 * The trigger of a menu or popover of the library whose button is drawn outside of it. The library places its content at
 * the button, and returns the focus to it.
 */
export function ButtonElsewhere({ button, ref }: ButtonElsewhereProps) {
  // A menu is drawn after its button.
  useImperativeHandle(ref, () => button.current!, [button])
  return null
}
