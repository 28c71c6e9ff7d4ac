import { type KeyboardEvent as ReactKeyboardEvent, type RefObject, useEffect } from 'react'

/**
 * For `onKeyDown` of a field whose text is sent: Enter sends it, and Shift+Enter starts a new line. A touch screen has no
 * Shift: there Enter starts a new line, and only a button sends.
 */
export function sendOnEnter(event: ReactKeyboardEvent, send: () => void): void {
  if (event.key !== 'Enter' || event.shiftKey || hasTouchScreen() || event.nativeEvent.isComposing) return
  event.preventDefault()
  send()
}

export const hasTouchScreen = () => matchMedia('(pointer: coarse)').matches

/** For `onKeyDown` of a form: Ctrl+Enter or Cmd+Enter in a field submits the form. */
export function submitOnCtrlEnter({ nativeEvent, currentTarget }: ReactKeyboardEvent<HTMLFormElement>): void {
  if (!isPressed('enter', nativeEvent)) return
  nativeEvent.preventDefault()
  if (!nativeEvent.repeat) currentTarget.requestSubmit()
}

/** Ctrl+S or Cmd+S submits the form of a page, wherever the focus is, and the browser saves no file. */
export function useSubmitOnCtrlS(form: RefObject<HTMLFormElement | null>): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (!isPressed('s', event)) return
      event.preventDefault()
      if (!event.repeat) form.current?.requestSubmit()
    }
    addEventListener('keydown', onKeyDown)
    return () => removeEventListener('keydown', onKeyDown)
  }, [form])
}

const isPressed = (key: 's' | 'enter', event: KeyboardEvent) =>
  (event.ctrlKey || event.metaKey) &&
  !event.altKey &&
  !event.shiftKey &&
  !event.isComposing &&
  event.key.toLowerCase() === key
