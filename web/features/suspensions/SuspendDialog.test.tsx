import 'fake-indexeddb/auto'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { login } from '#contract/account/endpoints.ts'
import {
  getSuspension,
  liftSuspension,
  suspendPerson,
  type Suspension,
} from '#contract/account/suspensions/endpoints.ts'
import { done } from '#contract/schemas.ts'
import { forgetDraftsOf } from '#web/lib/editor/drafts.ts'
import { show, signInAgain, startTestPage } from '#web/testing/page.tsx'
import { admin } from '#web/testing/people.ts'
import { useSuspend } from './index.ts'

const server = startTestPage()
const ben = { id: 'h3m9w5zt8v', name: 'Ben Okafor' }
const suspension: Suspension = { reason: 'Unkind.', until: '2099-06-12T10:00:00.000Z', hidesTexts: true }
const params = { id: ben.id }
const dayMs = 24 * 60 * 60 * 1000

beforeEach(async () => {
  await forgetDraftsOf(admin.id)
  server.on(suspendPerson, ({ input }) => input)
  server.on(liftSuspension, done)
})

function Page() {
  const { suspend, dialog } = useSuspend()
  return (
    <>
      <button type="button" onClick={() => suspend(ben)}>
        Open
      </button>
      {dialog}
    </>
  )
}

async function open(present: Suspension | null = null) {
  server.on(getSuspension, present)
  show(<Page />, { user: admin })
  return reopen(present)
}
async function reopen(present: Suspension | null = null) {
  fireEvent.click(screen.getByRole('button', { name: 'Open' }))
  const name = present ? 'Suspension of Ben Okafor' : 'Suspend Ben Okafor'
  const dialog = within(await screen.findByRole('dialog', { name }))
  await waitFor(() => expect(reasonField(dialog).readOnly).toBe(false))
  return dialog
}
type InDialog = Awaited<ReturnType<typeof reopen>>

const reasonField = (dialog: Pick<InDialog, 'getByLabelText'>) =>
  dialog.getByLabelText<HTMLTextAreaElement>(/^Reason/)
const write = (dialog: InDialog, reason: string) =>
  fireEvent.change(reasonField(dialog), { target: { value: reason } })
const press = (dialog: InDialog, name: string) => fireEvent.click(dialog.getByRole('button', { name }))
const confirm = async (verb: string) =>
  fireEvent.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: verb }))

test.each([
  ['7 days', (until: string) => expect(Date.parse(until) - Date.now()).toBeGreaterThan(6.9 * dayMs)],
  ['1 day', (until: string) => expect(Date.parse(until) - Date.now()).toBeLessThan(1.1 * dayMs)],
  ['30 days', (until: string) => expect(Date.parse(until) - Date.now()).toBeGreaterThan(29.9 * dayMs)],
])(
  'an admin suspends a person for %s after a question that names the person [INST-04]',
  async (end, isRight) => {
    const dialog = await open()
    write(dialog, 'You insulted a neighbour.')
    fireEvent.click(dialog.getByRole('radio', { name: end }))
    press(dialog, 'Suspend')
    const question = await screen.findByRole('alertdialog')
    expect(question.textContent).toContain('Ben Okafor')
    expect(server.calls(suspendPerson)).toEqual([])
    await confirm('Suspend')
    expect(await screen.findByText('Ben Okafor is suspended.')).toBeTruthy()
    const [{ input, params: sent }] = server.calls(suspendPerson) as [
      ReturnType<typeof server.calls<typeof suspendPerson>>[0],
    ]
    expect(sent).toEqual(params)
    expect(input).toMatchObject({ reason: 'You insulted a neighbour.', hidesTexts: false })
    isRight(input.until!)
    expect(screen.queryByRole('dialog')).toBeNull()
  },
)

test('an admin suspends a person for good and hides the texts [INST-04]', async () => {
  const dialog = await open()
  write(dialog, 'Spam.')
  fireEvent.click(dialog.getByRole('radio', { name: 'For good' }))
  fireEvent.click(dialog.getByRole('checkbox', { name: 'Hide what the person has published' }))
  press(dialog, 'Suspend')
  expect((await screen.findByRole('alertdialog')).textContent).toContain('for good')
  await confirm('Suspend')
  await screen.findByText('Ben Okafor is suspended.')
  expect(server.inputs(suspendPerson)).toEqual([{ reason: 'Spam.', until: null, hidesTexts: true }])
})

test('an admin suspends a person until the start of a day in the own time zone [INST-04]', async () => {
  const dialog = await open()
  write(dialog, 'Spam.')
  fireEvent.click(dialog.getByRole('radio', { name: 'Until a day' }))
  press(dialog, 'Suspend')
  expect(await dialog.findByText('Please choose a day.')).toBeTruthy()
  const day = dialog.getByLabelText('First day on which the person can sign in again')
  fireEvent.change(day, { target: { value: '2020-01-01' } })
  expect(await dialog.findByText('Please choose a time that is still to come.')).toBeTruthy()
  const next = `${new Date().getFullYear() + 1}-03-04`
  fireEvent.change(day, { target: { value: next } })
  press(dialog, 'Suspend')
  await confirm('Suspend')
  await screen.findByText('Ben Okafor is suspended.')
  expect(server.inputs(suspendPerson)).toEqual([
    { reason: 'Spam.', until: new Date(`${next}T00:00`).toISOString(), hidesTexts: false },
  ])
})

test('without a reason nothing is sent, and a reason that is too long is refused in the field [INST-04]', async () => {
  const dialog = await open()
  press(dialog, 'Suspend')
  expect(await dialog.findByText('Please write a reason.')).toBeTruthy()
  write(dialog, 'x'.repeat(1001))
  await waitFor(() =>
    expect(dialog.getByRole<HTMLButtonElement>('button', { name: 'Suspend' }).disabled).toBe(true),
  )
  expect(screen.queryByRole('alertdialog')).toBeNull()
  expect(server.calls(suspendPerson)).toEqual([])
})

test('an admin who changes their mind suspends nobody, and finds the reason again [INST-04 R22]', async () => {
  const dialog = await open()
  write(dialog, 'You insulted')
  press(dialog, 'Suspend')
  await confirm('Cancel')
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
  press(dialog, 'Cancel')
  const again = await reopen()
  await waitFor(() => expect(reasonField(again).value).toBe('You insulted'))
  expect(server.calls(suspendPerson)).toEqual([])
})

test('an admin changes a suspension: the reason and the end are those of now until they are changed [INST-04]', async () => {
  const dialog = await open(suspension)
  expect(reasonField(dialog).value).toBe('Unkind.')
  expect(dialog.getByRole<HTMLInputElement>('radio', { name: 'As it is' }).checked).toBe(true)
  fireEvent.click(dialog.getByRole('checkbox'))
  press(dialog, 'Change')
  await confirm('Suspend')
  await screen.findByText('Ben Okafor is suspended.')
  expect(server.inputs(suspendPerson)).toEqual([{ ...suspension, hidesTexts: false }])
})

test('an admin lifts a suspension [INST-04]', async () => {
  const dialog = await open(suspension)
  press(dialog, 'Lift the suspension')
  expect(await screen.findByText('The suspension of Ben Okafor is lifted.')).toBeTruthy()
  expect(server.calls(liftSuspension)).toMatchObject([{ params }])
  expect(server.calls(suspendPerson)).toEqual([])
})

test('a refused suspension and a failed lift say so in the dialog, and the reason stays [INST-04 R22]', async () => {
  server.refuse(suspendPerson, 'AdminCannotBeSuspended')
  server.refuse(liftSuspension, 'UserNotFound')
  const dialog = await open(suspension)
  write(dialog, 'Another reason.')
  press(dialog, 'Change')
  await confirm('Suspend')
  expect(await dialog.findByText(/^An admin cannot be suspended/)).toBeTruthy()
  expect(reasonField(dialog).value).toBe('Another reason.')
  press(dialog, 'Lift the suspension')
  expect(await dialog.findByText(/^This user no longer exists/)).toBeTruthy()
})

test('an admin who lifts a suspension after a refused change does not read the old refusal meanwhile [INST-04]', async () => {
  server.refuse(suspendPerson, 'AdminCannotBeSuspended')
  server.hold(liftSuspension)
  const dialog = await open(suspension)
  press(dialog, 'Change')
  await confirm('Suspend')
  expect(await dialog.findByText(/^An admin cannot be suspended/)).toBeTruthy()
  press(dialog, 'Lift the suspension')
  await waitFor(() => expect(dialog.queryByText(/^An admin cannot be suspended/)).toBeNull())
  expect(server.calls(liftSuspension)).toHaveLength(1)
})

test('an admin whose session has ended signs in again in the dialog, and is asked again before the person is suspended [INST-04]', async () => {
  server.refuse(suspendPerson, 'SignInRequired')
  server.on(login, admin)
  const dialog = await open(suspension)
  press(dialog, 'Change')
  await confirm('Suspend')
  await dialog.findByRole('button', { name: 'Sign in again' })
  server.on(suspendPerson, suspension)
  await signInAgain()
  await confirm('Suspend')
  expect(await screen.findByText('Ben Okafor is suspended.')).toBeTruthy()
  expect(server.inputs(suspendPerson)).toEqual([suspension, suspension])
})

test('an admin whose session has ended signs in again, and what was pressed last is done: the lift or the change [INST-04]', async () => {
  server.refuse(suspendPerson, 'SignInRequired')
  server.refuse(liftSuspension, 'SignInRequired')
  server.on(login, admin)
  const dialog = await open(suspension)
  press(dialog, 'Lift the suspension')
  await dialog.findByRole('button', { name: 'Sign in again' })
  press(dialog, 'Change')
  await confirm('Suspend')
  await waitFor(() => expect(server.calls(suspendPerson)).toHaveLength(1))
  await dialog.findByRole('button', { name: 'Sign in again' })
  await signInAgain()
  await confirm('Suspend')
  await waitFor(() => expect(server.calls(suspendPerson)).toHaveLength(2))
  await waitFor(() => press(dialog, 'Lift the suspension'))
  await waitFor(() => expect(server.calls(liftSuspension)).toHaveLength(2))
  await dialog.findByRole('button', { name: 'Sign in again' })
  server.on(liftSuspension, done)
  await signInAgain()
  expect(await screen.findByText('The suspension of Ben Okafor is lifted.')).toBeTruthy()
  expect(server.calls(suspendPerson)).toHaveLength(2)
})

test('an admin whose suspension cannot be loaded tries again [INST-04]', async () => {
  server.refuse(getSuspension, 'NotAllowed')
  show(<Page />, { user: admin })
  fireEvent.click(screen.getByRole('button', { name: 'Open' }))
  expect(await screen.findByText('The suspension could not be loaded.')).toBeTruthy()
  server.on(getSuspension, null)
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByLabelText(/^Reason/)).toBeTruthy()
})
