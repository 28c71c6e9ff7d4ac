import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { AlertDialog } from './AlertDialog.tsx'
import { AlertsProvider, useAlert, useConfirm } from './alerts.tsx'

afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

function Page({ onAnswer }: { onAnswer: (answer: unknown) => void }) {
  const alert = useAlert()
  const confirm = useConfirm()
  return (
    <>
      <button onClick={() => void alert('Login failed. Please try again.').then(onAnswer)}>Sign in</button>
      <button onClick={() => void confirm({ text: 'Delete this room?', verb: 'Delete' }).then(onAnswer)}>
        Remove
      </button>
    </>
  )
}

function renderPage() {
  const onAnswer = vi.fn<(answer: unknown) => void>()
  render(
    <AlertsProvider>
      <Page onAnswer={onAnswer} />
    </AlertsProvider>,
  )
  return onAnswer
}

const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }))
const buttons = (dialog: HTMLElement) =>
  within(dialog)
    .getAllByRole('button')
    .map((button) => button.textContent)

test('an alert is a dialog of ours with the exact text and OK, never the browser’s box [SHELL-90]', async () => {
  const browserBox = vi.fn<() => void>()
  vi.stubGlobal('alert', browserBox)
  const onAnswer = renderPage()
  press('Sign in')

  const dialog = await screen.findByRole('alertdialog', { name: 'Login failed. Please try again.' })
  expect(buttons(dialog)).toEqual(['OK'])
  expect(onAnswer).not.toHaveBeenCalled()

  press('OK')
  await waitFor(() => expect(onAnswer).toHaveBeenCalledOnce())
  expect(screen.queryByRole('alertdialog')).toBeNull()
  expect(browserBox).not.toHaveBeenCalled()
  vi.unstubAllGlobals()
})

test.each([
  ['Delete', true],
  ['Cancel', false],
])('a question offers Cancel and the verb, and %s answers %s [SHELL-90]', async (name, answer) => {
  const onAnswer = renderPage()
  press('Remove')

  const dialog = await screen.findByRole('alertdialog', { name: 'Delete this room?' })
  expect(buttons(dialog)).toEqual(['Cancel', 'Delete'])

  press(name)
  await waitFor(() => expect(onAnswer).toHaveBeenCalledExactlyOnceWith(answer))
  expect(screen.queryByRole('alertdialog')).toBeNull()
})

test('Escape answers a question with no, and the focus returns to who asked [SHELL-90]', async () => {
  const onAnswer = renderPage()
  const asker = screen.getByRole('button', { name: 'Remove' })
  asker.focus()
  press('Remove')
  const dialog = await screen.findByRole('alertdialog')
  expect(dialog.contains(document.activeElement)).toBe(true)

  fireEvent.keyDown(dialog, { key: 'Escape' })
  await waitFor(() => expect(onAnswer).toHaveBeenCalledExactlyOnceWith(false))
  await waitFor(() => expect(document.activeElement).toBe(asker))
})

test('two alerts at once are shown one after the other', async () => {
  const onAnswer = renderPage()
  const [signIn, remove] = screen.getAllByRole('button')
  signIn?.click()
  remove?.click()
  await screen.findByRole('alertdialog', { name: 'Login failed. Please try again.' })
  expect(screen.getAllByRole('alertdialog')).toHaveLength(1)
  press('OK')
  await screen.findByRole('alertdialog', { name: 'Delete this room?' })
  press('Delete')
  await waitFor(() => expect(onAnswer).toHaveBeenCalledTimes(2))
})

test('an alert that the browser closes is answered with no, and the next alert is shown [SHELL-90]', async () => {
  const onAnswer = renderPage()
  const [signIn, remove] = screen.getAllByRole('button')
  remove?.click()
  signIn?.click()
  const dialog = await screen.findByRole<HTMLDialogElement>('alertdialog', { name: 'Delete this room?' })
  act(() => dialog.close())
  await screen.findByRole('alertdialog', { name: 'Login failed. Please try again.' })
  expect(onAnswer).toHaveBeenCalledExactlyOnceWith(false)
})

test('Escape answers the newest of two open alerts alone [SHELL-90]', async () => {
  const onOlder = vi.fn<(yes: boolean) => void>()
  const onNewer = vi.fn<(yes: boolean) => void>()
  render(
    <>
      <AlertDialog text="Older" verb="OK" onAnswer={onOlder} />
      <AlertDialog text="Newer" verb="OK" onAnswer={onNewer} />
    </>,
  )
  fireEvent.keyDown(document.body, { key: 'Escape' })
  expect(onNewer).toHaveBeenCalledExactlyOnceWith(false)
  expect(onOlder).not.toHaveBeenCalled()
})
