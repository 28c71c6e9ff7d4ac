import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import {
  approveRegistration,
  createRegistrationLink,
  endRegistrationLink,
  listRegistrationLinks,
  listRegistrationRequests,
  refuseRegistration,
  type RegistrationLink,
  type RegistrationRequest,
} from '#contract/account/registration/endpoints.ts'
import { getConfig } from '#contract/app/endpoints.ts'
import {
  changeInstanceSettings,
  getInstanceSettings,
  type StoredInstanceSettings,
} from '#contract/instance/endpoints.ts'
import { instanceDefaults } from '#contract/instance/settings.ts'
import { done } from '#contract/schemas.ts'
import { button, config, press, show, startTestPage } from '#web/testing/page.tsx'
import { admin } from '#web/testing/people.ts'
import { SignUps } from './SignUps.tsx'

const server = startTestPage()

const base = '2025-06-10T12:00:00.000Z'
const stored: StoredInstanceSettings = {
  ...instanceDefaults,
  updatedAt: base,
  environment: { name: 'Z!mmer', supportEmail: 'help@example.org' },
}
const nia: RegistrationRequest = {
  id: '01900000-0000-7000-8000-000000000001',
  name: 'Nia New',
  email: 'nia@example.org',
  question: 'Where do you live?',
  answer: 'Next door.',
  writingSample: 'I write at night.',
  createdAt: base,
}
const link: RegistrationLink = {
  id: '01900000-0000-7000-8000-000000000002',
  label: 'Class of June',
  uses: 3,
  maxUses: 30,
  createdAt: base,
  expiresAt: '2025-06-17T12:00:00.000Z',
}

beforeEach(() => {
  server.on(getConfig, config)
  server.on(getInstanceSettings, stored)
  server.on(listRegistrationRequests, [])
  server.on(listRegistrationLinks, [])
})
const open = async () => {
  show(<SignUps />, { user: admin })
  await screen.findByRole('radio', { name: /^Open/ })
}
/** Answers the question before a refusal. */
const answer = async (name: 'Refuse' | 'Cancel') =>
  fireEvent.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name }))
const radio = (name: RegExp) => screen.getByRole<HTMLInputElement>('radio', { name })

test('an admin reads the question, the answer and the sample of a person who waits, and approves or refuses [INST-02]', async () => {
  server.on(listRegistrationRequests, [nia])
  await open()
  const row = within(await screen.findByRole('listitem', { name: 'Sign-up of Nia New' }))
  for (const text of ['Where do you live?', 'Next door.', 'I write at night.']) row.getByText(text)
  expect(row.getByText(/^nia@example.org/)).toBeTruthy()
  server.disconnect(refuseRegistration)
  press('Refuse Nia New')
  await answer('Cancel')
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
  expect(row.queryByText(/could not be decided/)).toBeNull()
  expect(server.calls(refuseRegistration)).toEqual([])
  press('Refuse Nia New')
  await answer('Refuse')
  expect(await row.findByText(/could not be decided/)).toBeTruthy()
  const answered = Promise.withResolvers<void>()
  server.on(approveRegistration, async () => {
    await answered.promise
    server.on(listRegistrationRequests, [])
    return done
  })
  press('Approve Nia New')
  // The pressed button keeps the focus meanwhile.
  await waitFor(() => expect(button('Refuse Nia New').disabled).toBe(true))
  expect(button('Approve Nia New').disabled).toBe(false)
  answered.resolve()
  expect(await screen.findByText('Nobody waits for an account')).toBeTruthy()
  expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Waiting for a decision' }))
  expect(await screen.findByText('Nia New can sign in now.')).toBeTruthy()
})

test('an admin who was not the first reads that another one has decided, and the row is gone [INST-02]', async () => {
  server.on(listRegistrationRequests, [nia])
  await open()
  await screen.findByText('Next door.')
  server.on(refuseRegistration, ({ fail }) => {
    server.on(listRegistrationRequests, [])
    return fail('RegistrationRequestNotFound')
  })
  press('Refuse Nia New')
  await answer('Refuse')
  expect(await screen.findByText('Another admin has already decided about this sign-up.')).toBeTruthy()
  expect(screen.queryByText('Next door.')).toBeNull()
})

test('an admin chooses how people register and what is off, each saved at once from what is stored [INST-02]', async () => {
  await open()
  expect(radio(/^Open/).checked).toBe(true)
  server.on(changeInstanceSettings, () => {
    const changed: StoredInstanceSettings = {
      ...stored,
      registration: 'approval',
      updatedAt: '2025-06-10T12:00:01.000Z',
    }
    server.on(getInstanceSettings, changed)
    return changed
  })
  expect(screen.queryByLabelText('Question')).toBeNull()
  fireEvent.click(radio(/^With approval/))
  const question = await screen.findByLabelText('Question')
  await waitFor(() => expect(radio(/^With approval/).checked).toBe(true))
  fireEvent.change(question, { target: { value: 'Why here?' } })
  await waitFor(() => expect(server.calls(getInstanceSettings)).toHaveLength(2))
  press('Save the question')
  await waitFor(() => expect(server.calls(changeInstanceSettings)).toHaveLength(2))
  fireEvent.click(screen.getByRole('switch', { name: 'Guests' }))
  await waitFor(() => expect(server.calls(changeInstanceSettings)).toHaveLength(3))
  const later = '2025-06-10T12:00:01.000Z'
  expect(server.inputs(changeInstanceSettings)).toEqual([
    { base, registration: 'approval' },
    { base: later, registrationQuestion: 'Why here?' },
    { base: later, guests: false },
  ])
})

test('a choice that another admin has overtaken is not shown as made [INST-02]', async () => {
  await open()
  server.refuse(changeInstanceSettings, 'InstanceSettingsConflict', { current: stored })
  fireEvent.click(screen.getByRole('switch', { name: 'Public Z!mmers' }))
  expect(await screen.findByText(/Another admin changed the settings/)).toBeTruthy()
  expect(screen.getByRole('switch', { name: 'Public Z!mmers' }).getAttribute('aria-checked')).toBe('true')
})

test('an admin makes a link for many where the registration needs one, copies it, and ends another [INST-02 S57]', async () => {
  server.on(getInstanceSettings, { ...stored, registration: 'invitation' })
  server.on(listRegistrationLinks, [link])
  await open()
  expect(await screen.findByText(/3 of 30 signed up/)).toBeTruthy()
  server.on(createRegistrationLink, { ...link, id: nia.id, label: 'Choir', token: 'a-token' })
  for (const [label, value] of [
    ['For whom', 'Choir'],
    ['People', '12'],
    ['Good for', '30'],
  ] as const)
    fireEvent.change(screen.getByLabelText(label), { target: { value } })
  press('Make a link')
  const shown = await screen.findByLabelText<HTMLInputElement>('New link')
  expect(shown.value).toBe(`${location.origin}/?onboarding=true#join=a-token`)
  expect(server.inputs(createRegistrationLink)).toEqual([{ label: 'Choir', maxUses: 12, days: 30 }])
  server.on(endRegistrationLink, () => {
    server.on(listRegistrationLinks, [])
    return done
  })
  press('End Class of June')
  await waitFor(() => expect(screen.queryByText('Class of June')).toBeNull())
  expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Links to sign up' }))
})

test('where the registration needs no link, and there is none, the page does not speak of links [INST-02]', async () => {
  await open()
  expect(screen.queryByRole('heading', { name: 'Links to sign up' })).toBeNull()
})
