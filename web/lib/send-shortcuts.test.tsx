import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { useRef } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { submitOnCtrlEnter, useSubmitOnCtrlS } from './send-shortcuts.ts'

const sent = vi.fn<() => void>()
afterEach(() => {
  cleanup()
  sent.mockReset()
})

function Letter({ isSaved }: { isSaved: boolean }) {
  const form = useRef<HTMLFormElement>(null)
  useSubmitOnCtrlS(isSaved ? form : nowhere)
  return (
    <form
      ref={form}
      onKeyDown={submitOnCtrlEnter}
      onSubmit={(event) => {
        event.preventDefault()
        sent()
      }}
    >
      <textarea aria-label="Letter" />
    </form>
  )
}
const nowhere = { current: null }
const area = () => screen.getByLabelText('Letter')

test.each(['ctrlKey', 'metaKey'])('a person sends a long form by %s with Enter', (held) => {
  render(<Letter isSaved={false} />)
  // fireEvent answers false when the key is kept from the browser.
  expect(fireEvent.keyDown(area(), { key: 'Enter', [held]: true })).toBe(false)
  expect(sent).toHaveBeenCalledOnce()
})

test.each([
  ['Enter alone', { key: 'Enter' }],
  ['Enter with Shift', { key: 'Enter', shiftKey: true }],
  ['an Enter that ends a composition', { key: 'Enter', ctrlKey: true, isComposing: true }],
  ['AltGr with Enter', { key: 'Enter', ctrlKey: true, altKey: true }],
  ['Ctrl and Shift with S', { key: 'S', ctrlKey: true, shiftKey: true }],
  ['another key', { key: 'k', ctrlKey: true }],
])('a person who presses %s continues to write, and nothing is sent', (_keys, init) => {
  render(<Letter isSaved />)
  expect(fireEvent.keyDown(area(), init)).toBe(true)
  expect(sent).not.toHaveBeenCalled()
})

test('a person who holds the keys down sends the form once', () => {
  render(<Letter isSaved />)
  for (const repeat of [false, true, true]) {
    fireEvent.keyDown(area(), { key: 'Enter', ctrlKey: true, repeat })
    fireEvent.keyDown(area(), { key: 's', ctrlKey: true, repeat })
  }
  expect(sent).toHaveBeenCalledTimes(2)
})

test.each(['ctrlKey', 'metaKey'])(
  'a person saves the form of a page by %s with S, wherever the focus is',
  (held) => {
    render(<Letter isSaved />)
    for (const key of ['s', 'S']) expect(fireEvent.keyDown(document.body, { key, [held]: true })).toBe(false)
    expect(sent).toHaveBeenCalledTimes(2)
  },
)
