import 'fake-indexeddb/auto'
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { changeSettings, getSettings, type PersonSettings } from '#contract/account/settings/endpoints.ts'
import { button, press, show, startTestPage } from '#web/testing/page.tsx'
import { ana, noSettings } from '#web/testing/people.ts'
import { YourPage } from './YourPage.tsx'

const server = startTestPage()

async function openPart(settings: Partial<PersonSettings> = {}) {
  const stored = { ...noSettings, ...settings }
  server.on(getSettings, stored)
  server.on(changeSettings, ({ input }) => Object.assign(stored, input as Partial<PersonSettings>))
  show(<YourPage userId={ana.id} />, { at: '/settings', user: ana })
  const text = await screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'Introduction' })
  await waitFor(() => expect(text.readOnly).toBe(false))
  return { stored, text }
}
const type = (text: HTMLTextAreaElement, value: string) => fireEvent.change(text, { target: { value } })

test('a person switches the page on and off, and is led there while it is on [PPL-02]', async () => {
  const { stored } = await openPart()
  const toggle = screen.getByRole('switch', { name: 'Have a page that everybody can read' })
  screen.getByText(/Your passages signed as .User \{id\}. can then be traced to your name\./)
  expect(screen.queryByRole('link', { name: 'See your page' })).toBeNull()
  fireEvent.click(toggle)
  expect((await screen.findByRole('link', { name: 'See your page' })).getAttribute('href')).toBe(
    `/people/${ana.id}`,
  )
  await waitFor(() => expect(stored.hasPage).toBe(true))
  fireEvent.click(toggle)
  await waitFor(() => expect(stored.hasPage).toBe(false))
  expect(screen.queryByRole('link', { name: 'See your page' })).toBeNull()
})

test('a person writes and changes the introduction [PPL-01]', async () => {
  const { stored, text } = await openPart({ introduction: 'I write at night.' })
  expect(text.value).toBe('I write at night.')
  expect(button('Save introduction').disabled).toBe(true)
  type(text, 'I write at night.\nMostly poems.')
  press('Save introduction')
  await waitFor(() => expect(stored.introduction).toBe('I write at night.\nMostly poems.'))
  await screen.findByText(/^Saved/)
  expect(server.inputs(changeSettings)).toEqual([
    { introduction: 'I write at night.\nMostly poems.', base: 'I write at night.' },
  ])
})

test('an introduction that is too long cannot be saved, and the person reads by how much [PPL-01]', async () => {
  const { text } = await openPart()
  type(text, 'a'.repeat(502))
  expect(await screen.findByText('2 characters too long')).toBeTruthy()
  expect(button('Save introduction').disabled).toBe(true)
  type(text, 'a'.repeat(500))
  expect(button('Save introduction').disabled).toBe(false)
  expect(server.inputs(changeSettings)).toEqual([])
})

test('an introduction that could not be saved stays in the field, also after the page is opened again [PPL-01]', async () => {
  const { text } = await openPart()
  server.refuse(changeSettings, 'NotAllowed')
  type(text, 'Half a line')
  press('Save introduction')
  await screen.findByText(/^Not saved/)
  expect(text.value).toBe('Half a line')
  document.body.replaceChildren()
  const again = await openPart()
  await waitFor(() => expect(again.text.value).toBe('Half a line'))
})

test('a person whose introduction was changed elsewhere meanwhile sees both texts, and none is replaced [PPL-01]', async () => {
  const { text, stored } = await openPart()
  const current = { ...stored, introduction: 'From the phone' }
  server.refuse(changeSettings, 'IntroductionConflict', { current })
  type(text, 'From the desk')
  press('Save introduction')
  expect((await screen.findByLabelText<HTMLTextAreaElement>('Saved elsewhere')).value).toBe('From the phone')
  expect(screen.getByLabelText<HTMLTextAreaElement>('Written here').value).toBe('From the desk')
  expect(server.inputs(changeSettings)).toEqual([{ introduction: 'From the desk', base: '' }])
})
