import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { Button } from './Button.tsx'
import { Dialog } from './Dialog.tsx'

afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

function Page({ startsInField = true }) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button onClick={() => setOpen(true)}>New room</Button>
      {open && (
        <Dialog
          title="A new room"
          description="One story."
          startsInField={startsInField}
          onClose={() => setOpen(false)}
        >
          <input aria-label="Name" />
        </Dialog>
      )}
    </>
  )
}

test.each(['Escape', 'Close'])(
  'a person closes a dialog by %s, and the focus returns to the button that opened it',
  async (way) => {
    render(<Page />)
    const opener = screen.getByRole('button', { name: 'New room' })
    opener.focus()
    fireEvent.click(opener)
    const dialog = screen.getByRole('dialog', { name: 'A new room', description: 'One story.' })
    expect(document.activeElement).toBe(screen.getByLabelText('Name'))

    if (way === 'Escape') fireEvent.keyDown(dialog, { key: 'Escape' })
    else fireEvent.click(screen.getByRole('button', { name: 'Close' }))
    expect(screen.queryByRole('dialog')).toBeNull()
    await waitFor(() => expect(document.activeElement).toBe(opener))
  },
)

function PageOfSteps() {
  const [step, setStep] = useState<number>()
  return (
    <>
      <Button onClick={() => setStep(1)}>Versions</Button>
      {step !== undefined && (
        <Dialog key={step} title={`Step ${step}`} onClose={() => setStep(undefined)}>
          <Button onClick={() => setStep(step + 1)}>Next step</Button>
        </Dialog>
      )}
    </>
  )
}

test('a person who closes the third of three dialogs that replaced each other has the focus on the button that opened the first', async () => {
  render(<PageOfSteps />)
  const opener = screen.getByRole('button', { name: 'Versions' })
  opener.focus()
  fireEvent.click(opener)
  for (const step of [1, 2]) {
    expect(document.activeElement).toBe(screen.getByRole('heading', { name: `Step ${step}` }))
    const next = screen.getByRole('button', { name: 'Next step' })
    next.focus()
    fireEvent.click(next)
    await waitFor(() =>
      expect(document.activeElement).toBe(screen.getByRole('heading', { name: `Step ${step + 1}` })),
    )
  }
  fireEvent.click(screen.getByRole('button', { name: 'Close' }))
  await waitFor(() => expect(document.activeElement).toBe(opener))
})

test('a person who opens a dialog while nothing has the focus is not led back to the button that opened a dialog before', () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  render(<Page />)
  const opener = screen.getByRole('button', { name: 'New room' })
  opener.focus()
  for (const expected of [opener, document.body]) {
    fireEvent.click(opener)
    fireEvent.click(screen.getByRole('button', { name: 'Close' }))
    vi.runAllTimers()
    expect(document.activeElement).toBe(expected)
    opener.blur()
  }
})

test.each([
  ['a dialog without fields', false, 'fine'],
  ['a dialog without fields on a touch screen', false, 'coarse'],
  ['a form on a touch screen, where a keyboard would cover it,', true, 'coarse'],
])(
  'a person who opens %s has the focus on its title, not on the button that closes',
  (_dialog, startsInField, pointer) => {
    vi.spyOn(globalThis, 'matchMedia').mockImplementation(
      (query) => ({ matches: query === `(pointer: ${pointer})` }) as MediaQueryList,
    )
    render(<Page startsInField={startsInField} />)
    fireEvent.click(screen.getByRole('button', { name: 'New room' }))
    expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'A new room' }))
  },
)
