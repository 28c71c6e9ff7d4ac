import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { Suspense, useState } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { pass } from '#web/lib/testing.ts'
import { Boundary } from './Boundary.tsx'
import { failedDialog, failedPage, part } from './part.tsx'

afterEach(() => {
  cleanup()
  vi.useRealTimers()
  vi.restoreAllMocks()
})

function Page() {
  const [isBroken, setIsBroken] = useState(false)
  if (isBroken) throw new Error('broken')
  return (
    <>
      <textarea aria-label="Story" />
      <button onClick={() => setIsBroken(true)}>Break</button>
    </>
  )
}

test('a page that breaks shows what was typed in it, and leaves the text areas beside it alone [R22 ERR-29]', () => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  render(
    <>
      <textarea aria-label="Beside" defaultValue="Not lost." />
      <Boundary failed={failedPage}>
        <Page />
      </Boundary>
    </>,
  )
  fireEvent.change(screen.getByLabelText('Story'), { target: { value: 'It was late.' } })
  fireEvent.click(screen.getByRole('button', { name: 'Break' }))
  expect(screen.getByRole('alert').textContent).toContain('This page could not be shown.')
  expect(screen.getAllByLabelText<HTMLTextAreaElement>('Your text').map(({ value }) => value)).toEqual([
    'It was late.',
  ])
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
  expect(screen.getByLabelText('Story')).toBeTruthy()
  expect(screen.queryByLabelText('Your text')).toBeNull()
})

test('a dialog whose file is missing can be cancelled, and opening it again fetches the file again [R22]', async () => {
  vi.useFakeTimers()
  vi.spyOn(console, 'error').mockImplementation(() => {})
  let isThere = false
  const Opened = part(async () => {
    if (!isThere) throw new Error('missing')
    return ({ onClose }: { onClose: () => void }) => <button onClick={onClose}>The dialog</button>
  }, failedDialog)
  function Opener() {
    const [isOpen, setIsOpen] = useState(false)
    return (
      <>
        <button onClick={() => setIsOpen(true)}>Open</button>
        <Suspense>{isOpen && <Opened onClose={() => setIsOpen(false)} />}</Suspense>
      </>
    )
  }
  render(<Opener />)
  fireEvent.click(screen.getByRole('button', { name: 'Open' }))
  await pass(4000)
  expect(screen.getByRole('alertdialog').textContent).toContain('This could not be opened.')
  fireEvent.click(screen.getByRole('button', { name: 'Cancel' }))
  expect(screen.queryByRole('alertdialog')).toBeNull()

  isThere = true
  fireEvent.click(screen.getByRole('button', { name: 'Open' }))
  await pass(0)
  expect(screen.getByRole('button', { name: 'The dialog' })).toBeTruthy()
})
