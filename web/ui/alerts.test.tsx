import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { AlertDialog, type Answer } from './AlertDialog.tsx'
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

test('a person sees an alert as a dialog of the page with the exact text and OK, not as the box of the browser [SHELL-90]', async () => {
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
])('a person is asked with Cancel and the verb, and %s answers %s [SHELL-90]', async (name, answer) => {
  const onAnswer = renderPage()
  press('Remove')

  const dialog = await screen.findByRole('alertdialog', { name: 'Delete this room?' })
  expect(buttons(dialog)).toEqual(['Cancel', 'Delete'])

  press(name)
  await waitFor(() => expect(onAnswer).toHaveBeenCalledExactlyOnceWith(answer))
  expect(screen.queryByRole('alertdialog')).toBeNull()
})

test('a person answers a question with no by Escape, and the focus returns to the button that asked [SHELL-90]', async () => {
  const onAnswer = renderPage()
  const opener = screen.getByRole('button', { name: 'Remove' })
  opener.focus()
  press('Remove')
  const dialog = await screen.findByRole('alertdialog')
  expect(dialog.contains(document.activeElement)).toBe(true)

  fireEvent.keyDown(dialog, { key: 'Escape' })
  await waitFor(() => expect(onAnswer).toHaveBeenCalledExactlyOnceWith(false))
  await waitFor(() => expect(document.activeElement).toBe(opener))
})

test('a person sees a busy button while the action of a question is done, and can cancel meanwhile', async () => {
  const actions: PromiseWithResolvers<void>[] = []
  const action = () => {
    actions.push(Promise.withResolvers())
    return actions.at(-1)!.promise
  }
  const onAnswer = vi.fn<(answer: unknown) => void>()
  function Asker() {
    const confirm = useConfirm()
    return (
      <button onClick={() => void confirm({ text: 'Save it?', verb: 'Save', action }).then(onAnswer)}>
        Ask
      </button>
    )
  }
  render(
    <AlertsProvider>
      <Asker />
    </AlertsProvider>,
  )
  press('Ask')
  press('Save')
  expect(screen.getByRole('button', { name: 'Save' }).getAttribute('aria-busy')).toBe('true')
  press('Save')
  expect(actions).toHaveLength(1)
  await act(async () => actions[0]!.reject(new Error('The action failed')))
  expect(onAnswer).toHaveBeenCalledExactlyOnceWith(true)
  expect(screen.queryByRole('alertdialog')).toBeNull()

  press('Ask')
  expect(screen.getByRole('button', { name: 'Save' }).getAttribute('aria-busy')).toBeNull()
  press('Save')
  press('Cancel')
  await act(async () => actions[1]!.resolve())
  expect(onAnswer.mock.calls).toEqual([[true], [false]])
  expect(screen.queryByRole('alertdialog')).toBeNull()
})

test('a person sees two alerts one after the other when both are opened at once', async () => {
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

test('when the browser closes an alert, the answer is no, and the person sees the next alert [SHELL-90]', async () => {
  const onAnswer = renderPage()
  const [signIn, remove] = screen.getAllByRole('button')
  remove?.click()
  signIn?.click()
  const dialog = await screen.findByRole<HTMLDialogElement>('alertdialog', { name: 'Delete this room?' })
  act(() => dialog.close())
  await screen.findByRole('alertdialog', { name: 'Login failed. Please try again.' })
  expect(onAnswer).toHaveBeenCalledExactlyOnceWith(false)
})

test('a person who presses Escape answers only the newest of two open alerts [SHELL-90]', async () => {
  const onOlder = vi.fn<(answer: Answer) => void>()
  const onNewer = vi.fn<(answer: Answer) => void>()
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
