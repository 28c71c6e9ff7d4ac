import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { type ReactNode, Suspense, useState } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { usePageTitle } from '#web/lib/page-title.ts'
import { pass } from '#web/lib/testing.ts'
import { Boundary } from './Boundary.tsx'
import { failedPage as failedPageOfAddress } from '#web/shell/failed-page.tsx'
import { failedDialog, failedLine, failedPage, part } from './part.tsx'

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

test('a person whose page fails still sees the text typed in it, and the text areas beside the page stay as they are [R22 ERR-29]', () => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  render(
    <>
      <textarea aria-label="Beside" defaultValue="Not lost." />
      <Boundary showFailure={failedPage}>
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

test('a person cancels a dialog whose file is missing, and the file is fetched again when the person opens the dialog again [R22]', async () => {
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
  expect(screen.getByRole('alertdialog').textContent).toContain(
    'This part could not be loaded. Check the connection and try again.',
  )
  fireEvent.click(screen.getByRole('button', { name: 'Cancel' }))
  expect(screen.queryByRole('alertdialog')).toBeNull()

  isThere = true
  fireEvent.click(screen.getByRole('button', { name: 'Open' }))
  await pass(0)
  expect(screen.getByRole('button', { name: 'The dialog' })).toBeTruthy()
})

test('a person whose dialog fails sees the typed text in the alert, also when the dialog fails again [R22 ERR-29]', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  let isBroken = false
  const Opened = part<{ onClose: () => void }>(
    async () =>
      function Form() {
        const [, draw] = useState(0)
        if (isBroken) throw new Error('broken')
        return <textarea aria-label="Story" onBlur={() => draw(1)} />
      },
    failedDialog,
  )
  const onClose = vi.fn<() => void>()
  render(
    <Suspense>
      <Opened onClose={onClose} />
    </Suspense>,
  )
  const story = await screen.findByLabelText('Story')
  fireEvent.change(story, { target: { value: 'It was late.' } })
  isBroken = true
  fireEvent.blur(story)
  const texts = () =>
    within(screen.getByRole('alertdialog'))
      .getAllByLabelText<HTMLTextAreaElement>('Your text')
      .map(({ value }) => value)
  expect(texts()).toEqual(['It was late.'])
  for (let attempt = 0; attempt < 2; attempt++) {
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
    await waitFor(() => expect(texts()).toEqual(['It was late.']))
  }

  isBroken = false
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
  await screen.findByLabelText('Story')
  expect(screen.queryByRole('alertdialog')).toBeNull()
  isBroken = true
  fireEvent.blur(screen.getByLabelText('Story'))
  expect(screen.queryByLabelText('Your text')).toBeNull()
})

test('a person for whom the file of a page is missing sees a heading and a title without the name of the page before, and Try again moves the focus to the page [R22]', async () => {
  vi.useFakeTimers()
  vi.spyOn(console, 'error').mockImplementation(() => {})
  function Diary() {
    usePageTitle('My Diary')
    return null
  }
  const Missing = part<object>(async () => {
    throw new Error('missing')
  }, failedPageOfAddress)
  const { rerender } = render(<Diary />)
  expect(document.title).toBe('My Diary · Z!mmer')
  rerender(
    <main id="main" tabIndex={-1}>
      <Suspense>
        <Missing />
      </Suspense>
    </main>,
  )
  await pass(4000)
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('This page could not be shown.')
  expect(document.title).toBe('Z!mmer')
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
  expect(document.activeElement?.id).toBe('main')
})

test('a person who opens a part sees that it is loading, the page around it stays, and then the part is shown', async () => {
  const file = Promise.withResolvers<() => ReactNode>()
  const Part = part(
    () => file.promise,
    failedLine,
    () => <p>Loading the part</p>,
  )
  render(
    <main>
      The page
      <Part />
    </main>,
  )
  expect(screen.getByRole('main').textContent).toBe('The pageLoading the part')
  await act(async () => file.resolve(() => <p>The part</p>))
  await waitFor(() => expect(screen.getByRole('main').textContent).toBe('The pageThe part'))
})
