import 'fake-indexeddb/auto'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { login } from '#contract/account/endpoints.ts'
import { erasePassage, erasePost } from '#contract/erasing/endpoints.ts'
import { erasedMark } from '#contract/rooms/room.ts'
import { done } from '#contract/schemas.ts'
import { forgetDraftsOf } from '#web/lib/editor/drafts.ts'
import { show, signInAgain, startTestPage } from '#web/testing/page.tsx'
import { admin } from '#web/testing/people.ts'
import { confirmErasure, eraseDialog } from './testing.tsx'
import { type Erasable, useErase } from './use-erase.tsx'

const server = startTestPage()
const id = '01900000-0000-7000-9000-000000000001'
const content = 'The letter to a neighbour'
const roomId = '01900000-0000-7000-8000-000000000001'

beforeEach(() => forgetDraftsOf(admin.id))

const onErased = vi.fn()
function Page({ text }: { text: Erasable }) {
  const { erase, dialog } = useErase(onErased)
  return (
    <>
      <button type="button" onClick={() => erase(text)}>
        Erase
      </button>
      {dialog}
    </>
  )
}
function open(text: Erasable) {
  onErased.mockClear()
  show(<Page text={text} />, { user: admin })
  fireEvent.click(screen.getByRole('button', { name: 'Erase' }))
}

test.each<[Erasable, string, string[]]>([
  [
    { kind: 'post', id, content },
    'post',
    [content, 'earlier versions', 'picture', 'drafts', 'copies of its text in reports'],
  ],
  [{ kind: 'version', id, content }, 'new version', [content, 'The published post stays']],
  [{ kind: 'passage', id, roomId, content: null }, 'passage', [erasedMark, 'copies of its text in reports']],
])(
  'the dialog of $kind names what goes, and erases only after a second step [INST-13]',
  async (text, name, said) => {
    server.on(erasePost, done)
    server.on(erasePassage, done)
    open(text)
    const dialog = await eraseDialog(name)
    for (const each of said) expect(dialog.textContent).toContain(each)
    const button = within(dialog).getByRole<HTMLButtonElement>('button', { name: 'Erase for good' })
    expect(button.disabled).toBe(true)
    fireEvent.submit(dialog.querySelector('form')!)
    await waitFor(() => expect(within(dialog).getByRole('checkbox')).toBeTruthy())
    expect([...server.calls(erasePost), ...server.calls(erasePassage)]).toEqual([])
    await confirmErasure(name, ' It names a neighbour. ')
    expect(await screen.findByText(`The ${name} is erased.`)).toBeTruthy()
    const endpoint = text.kind === 'passage' ? erasePassage : erasePost
    expect(server.calls(endpoint)).toMatchObject([
      {
        params: text.kind === 'passage' ? { id: roomId, passageId: id } : { id },
        input: { reason: 'It names a neighbour.' },
      },
    ])
    expect(onErased).toHaveBeenCalledOnce()
    expect(screen.queryByRole('dialog')).toBeNull()
  },
)

test('an admin who changes their mind erases nothing, and finds the reason again [INST-13 R22]', async () => {
  open({ kind: 'post', id, content })
  const dialog = within(await eraseDialog('post'))
  await waitFor(() => expect(dialog.getByLabelText<HTMLTextAreaElement>(/^Reason/).readOnly).toBe(false))
  fireEvent.change(dialog.getByLabelText(/^Reason/), { target: { value: 'It names' } })
  fireEvent.click(dialog.getByRole('button', { name: 'Cancel' }))
  fireEvent.click(screen.getByRole('button', { name: 'Erase' }))
  const again = within(await eraseDialog('post'))
  await waitFor(() => expect(again.getByLabelText<HTMLTextAreaElement>(/^Reason/).value).toBe('It names'))
  expect(again.getByRole<HTMLInputElement>('checkbox').checked).toBe(false)
  expect(server.calls(erasePost)).toEqual([])
})

test('a failed erasure says so in the dialog, and the reason stays [INST-13 R22]', async () => {
  server.refuse(erasePost, 'NotAllowed')
  open({ kind: 'post', id, content })
  await confirmErasure('post', 'It names a neighbour.')
  const dialog = within(await eraseDialog('post'))
  expect(await dialog.findByText('You are not allowed to do this.')).toBeTruthy()
  expect(dialog.getByLabelText<HTMLTextAreaElement>(/^Reason/).value).toBe('It names a neighbour.')
  expect(onErased).not.toHaveBeenCalled()
})

test.each([
  ['post', 'post'],
  ['version', 'new version'],
] as const)(
  'an admin whose %s changed or was decided meanwhile reads that nothing was erased [INST-13]',
  async (kind, name) => {
    server.refuse(erasePost, 'PostNotFound')
    open({ kind, id, content })
    await confirmErasure(name, 'It names a neighbour.')
    const dialog = within(await eraseDialog(name))
    expect(
      await dialog.findByText(
        `This ${name} has changed or was decided since, and nothing was erased. Please load the page again.`,
        {},
        { timeout: 10_000 },
      ),
    ).toBeTruthy()
    expect(dialog.getByLabelText<HTMLTextAreaElement>(/^Reason/).value).toBe('It names a neighbour.')
    expect(onErased).not.toHaveBeenCalled()
  },
)

test('a passage that another admin has erased first counts as erased [INST-13]', async () => {
  server.refuse(erasePassage, 'PassageNotFound')
  open({ kind: 'passage', id, roomId, content })
  await confirmErasure('passage')
  expect(await screen.findByText('The passage is erased.')).toBeTruthy()
  expect(server.calls(erasePassage)).toHaveLength(1)
})

test('an admin whose session has ended signs in again in the dialog, and the post is erased with the typed reason [INST-13 R22]', async () => {
  server.refuse(erasePost, 'SignInRequired')
  server.on(login, admin)
  open({ kind: 'post', id, content })
  await confirmErasure('post', 'It names a neighbour.')
  const dialog = within(await eraseDialog('post'))
  await dialog.findByRole('button', { name: 'Sign in again' })
  expect(dialog.getByLabelText<HTMLTextAreaElement>(/^Reason/).value).toBe('It names a neighbour.')
  server.on(erasePost, done)
  await signInAgain()
  expect(await screen.findByText('The post is erased.')).toBeTruthy()
  const input = { reason: 'It names a neighbour.' }
  expect(server.inputs(erasePost)).toEqual([input, input])
})
