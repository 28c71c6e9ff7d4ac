import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { login } from '#contract/account/endpoints.ts'
import { getConfig } from '#contract/app/endpoints.ts'
import {
  changeInstanceSettings,
  getInstanceSettings,
  type StoredInstanceSettings,
} from '#contract/instance/endpoints.ts'
import { accents } from '#contract/instance/accents.ts'
import { instanceDefaults } from '#contract/instance/settings.ts'
import { button, config, field, press, show, signInAgain, startTestPage, type } from '#web/testing/page.tsx'
import { admin } from '#web/testing/people.ts'
import { InstanceForm } from './InstanceForm.tsx'

const server = startTestPage()

const first: StoredInstanceSettings = {
  ...instanceDefaults,
  name: 'The Mill',
  updatedAt: '2025-06-10T12:00:00.000Z',
  environment: { name: 'A Company', supportEmail: 'help@example.org' },
}

async function open(stored = first) {
  server.on(getInstanceSettings, stored)
  // A saved setting may be shown on every page.
  server.on(getConfig, config)
  const page = show(<InstanceForm />, { user: admin })
  await screen.findByLabelText('Name')
  return page
}

test('an admin reads which setting wins over the environment [INST-01]', async () => {
  await open()
  expect(screen.getByText(/If you leave it empty, the name .* A Company\./)).toBeTruthy()
  expect(screen.getByText(/If you leave it empty, the address .* help@example\.org\./)).toBeTruthy()
})

test('an admin changes some settings; only these are sent, with the base [INST-01]', async () => {
  await open()
  expect(button('Save').disabled).toBe(true)
  type('Terms', 'Be kind.')
  // Changed back: it is no change.
  type('Name', 'The Barn')
  type('Name', 'The Mill')
  const saved = { ...first, terms: 'Be kind.', updatedAt: '2025-06-10T13:00:00.000Z' }
  server.on(changeInstanceSettings, saved)
  press('Save')
  expect(await screen.findByText('The settings are saved.')).toBeTruthy()
  expect(server.inputs(changeInstanceSettings)).toEqual([{ terms: 'Be kind.', base: first.updatedAt }])
  expect(button('Save').disabled).toBe(true)
  expect(screen.getByRole('link', { name: 'See /terms' }).getAttribute('href')).toBe('/terms')
  type('Rules', 'Write.')
  press('Save')
  await waitFor(() => expect(server.inputs(changeInstanceSettings)).toHaveLength(2))
  expect(server.inputs(changeInstanceSettings)[1]).toEqual({ rules: 'Write.', base: saved.updatedAt })
})

test('what an admin has typed is still there after a reload, and is discarded by a button [INST-01]', async () => {
  const page = await open()
  type('Rules', 'Write.')
  page.unmount()
  await open({ ...first, updatedAt: '2025-06-10T14:00:00.000Z' })
  expect(field('Rules').value).toBe('Write.')
  type('Terms', 'Be kind.')
  server.on(changeInstanceSettings, first)
  press('Save')
  await waitFor(() => expect(server.inputs(changeInstanceSettings)).toHaveLength(1))
  // The base is that of the settings from which the admin started.
  expect(server.inputs(changeInstanceSettings)[0]).toEqual({
    rules: 'Write.',
    terms: 'Be kind.',
    base: first.updatedAt,
  })
  await screen.findByText('The settings are saved.')
  type('Rules', 'Read.')
  press('Discard')
  expect(field('Rules').value).toBe('')
})

test('an admin who was second reads what the other has changed, and saves over it only knowingly [INST-01]', async () => {
  await open()
  type('Name', 'The Barn')
  const current = { ...first, name: 'The Inn', rules: 'Write.', updatedAt: '2025-06-10T13:00:00.000Z' }
  server.on(changeInstanceSettings, ({ fail }) => fail('InstanceSettingsConflict', { current }))
  press('Save')
  const alert = await screen.findByText(/^Another admin has changed Name, Rules in the meantime\./)
  expect(alert.getAttribute('role')).toBe('alert')
  expect(field('Name').value).toBe('The Barn')
  expect(field('Rules').value).toBe('Write.')
  server.on(changeInstanceSettings, { ...current, name: 'The Barn' })
  press('Save')
  await screen.findByText('The settings are saved.')
  expect(server.inputs(changeInstanceSettings)[1]).toEqual({ name: 'The Barn', base: current.updatedAt })
})

test('a wrong field says what is wrong, and a failed save keeps what was typed [INST-01 ERR-29]', async () => {
  await open()
  type('Contact', 'nobody')
  expect(screen.getByText('Please enter an email address, or nothing.')).toBeTruthy()
  expect(button('Save').disabled).toBe(true)
  type('Contact', 'mill@example.org')
  server.refuse(changeInstanceSettings, 'NotAllowed')
  press('Save')
  expect(await screen.findByText('You are not allowed to do this.')).toBeTruthy()
  expect(field('Contact').value).toBe('mill@example.org')
})

test('an admin whose session has ended signs in again beside the settings, and they are saved [INST-01]', async () => {
  await open()
  type('Rules', 'Write.')
  server.refuse(changeInstanceSettings, 'SignInRequired')
  server.on(login, admin)
  const save = button('Save')
  fireEvent.click(save)
  await screen.findByText('Sign in again')
  const saved = Promise.withResolvers<StoredInstanceSettings>()
  server.on(changeInstanceSettings, () => saved.promise)
  await signInAgain()
  await waitFor(() => expect(document.activeElement).toBe(save))
  saved.resolve({ ...first, rules: 'Write.' })
  expect(await screen.findByText('The settings are saved.')).toBeTruthy()
  expect(screen.queryByText('Sign in again')).toBeNull()
  expect(server.inputs(changeInstanceSettings)).toHaveLength(2)
})

test('an admin who discards changes that could not be saved reads no more of the failure [INST-01]', async () => {
  await open()
  type('Rules', 'Write.')
  server.refuse(changeInstanceSettings, 'SignInRequired')
  press('Save')
  await screen.findByText('Please sign in.')
  press('Discard')
  await waitFor(() => expect(field('Rules').value).toBe(first.rules))
  expect(screen.queryByText('Sign in again')).toBeNull()
  expect(screen.queryByText('Please sign in.')).toBeNull()
})

test('an admin writes the lists of words and sign-ups, and reads which line is wrong [INST-06]', async () => {
  await open()
  type('Refused email addresses', 'spam.example\nhttps://spam.example')
  expect(screen.getByText(/^‘https:\/\/spam\.example’ is neither a domain/)).toBeTruthy()
  type('Watched words', '.*')
  expect(screen.getByText('‘.*’ has no word.')).toBeTruthy()
  expect(button('Save').disabled).toBe(true)
  type('Refused email addresses', 'spam.example')
  type('Watched words', 'buy now')
  type('Refused networks', 'school')
  server.on(changeInstanceSettings, ({ fail }) =>
    fail('InvalidInput', { error: '‘school’ is no address or network, such as 192.0.2.0/24.' }),
  )
  press('Save')
  expect(await screen.findByText(/^‘school’ is no address or network/)).toBeTruthy()
  type('Refused networks', '192.0.2.0/24')
  server.on(changeInstanceSettings, first)
  press('Save')
  await screen.findByText('The settings are saved.')
  expect(server.inputs(changeInstanceSettings).at(-1)).toEqual({
    watchedWords: 'buy now',
    refusedEmails: 'spam.example',
    refusedNetworks: '192.0.2.0/24',
    base: first.updatedAt,
  })
})

test('an admin switches crawlers that train models on; they are off before [INST-07]', async () => {
  await open()
  const crawlers = screen.getByRole<HTMLInputElement>('checkbox', { name: 'Crawlers that train models' })
  expect(crawlers.checked).toBe(false)
  fireEvent.click(crawlers)
  server.on(changeInstanceSettings, { ...first, modelTraining: true })
  press('Save')
  await screen.findByText('The settings are saved.')
  expect(server.inputs(changeInstanceSettings)).toEqual([{ modelTraining: true, base: first.updatedAt }])
  expect(crawlers.checked).toBe(true)
  expect(screen.getByRole('link', { name: 'See /privacy' })).toBeTruthy()
})

test('an admin chooses the accent colour and the icon, and the page has the colour once it is saved [INST-01]', async () => {
  await open()
  const radio = (name: string) => screen.getByRole<HTMLInputElement>('radio', { name })
  const groups = ['Accent colour', 'Icon'].map((name) => within(screen.getByRole('group', { name })))
  expect(groups.map((group) => group.getAllByRole('radio').length)).toEqual([8, 8])
  const chosen = groups.map((group) =>
    group.getAllByRole<HTMLInputElement>('radio').find(({ checked }) => checked),
  )
  expect(chosen.map((input) => input?.value)).toEqual(['lamp', 'mark'])
  fireEvent.click(radio('Moss'))
  fireEvent.click(radio('Book'))
  // The samples of the icons follow the colour before it is saved.
  for (const image of document.querySelectorAll('img'))
    expect(image.src).toContain(accents.moss.night.lamp.slice(1))
  expect(document.documentElement.dataset['accent']).not.toBe('moss')
  server.on(changeInstanceSettings, { ...first, accent: 'moss', icon: 'book' })
  press('Save')
  await screen.findByText('The settings are saved.')
  expect(server.inputs(changeInstanceSettings)).toEqual([
    { accent: 'moss', icon: 'book', base: first.updatedAt },
  ])
  expect(document.documentElement.dataset['accent']).toBe('moss')
})
