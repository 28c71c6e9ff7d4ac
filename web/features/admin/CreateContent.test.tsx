import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { login } from '#contract/account/endpoints.ts'
import { createPost } from '#contract/feed/endpoints.ts'
import { aPost } from '#web/features/feed/testing.tsx'
import { signInAgain } from '#web/testing/page.tsx'
import { admin } from '#web/testing/people.ts'
import { open, startAdminPage } from './testing.tsx'

const server = startAdminPage()

test('an admin publishes an article only with a text and an author name [ADM-15 ADM-16]', async () => {
  server.on(createPost, aPost())
  open('create-content')
  const content = await screen.findByLabelText<HTMLTextAreaElement>('Content')
  await waitFor(() => expect(content.readOnly).toBe(false))
  const publish = screen.getByRole<HTMLButtonElement>('button', { name: 'Publish' })
  const name = screen.getByLabelText<HTMLInputElement>('Author name')
  expect(publish.disabled).toBe(true)
  fireEvent.change(content, { target: { value: 'News of the house' } })
  expect(publish.disabled).toBe(false)
  fireEvent.change(name, { target: { value: ' ' } })
  expect(publish.disabled).toBe(true)
  fireEvent.change(name, { target: { value: 'The house' } })
  fireEvent.click(publish)
  expect(await screen.findByText('Published')).toBeTruthy()
  expect(server.inputs(createPost)).toEqual([{ content: 'News of the house', authorName: 'The house' }])
  await waitFor(() => expect(content.value).toBe(''))
})

test('an article that cannot be published stays in the form, and the admin sees why [ADM-15]', async () => {
  server.refuse(createPost, 'NotAllowed')
  open('create-content')
  const content = await screen.findByLabelText<HTMLTextAreaElement>('Content')
  await waitFor(() => expect(content.readOnly).toBe(false))
  fireEvent.change(content, { target: { value: 'News' } })
  fireEvent.click(screen.getByRole('button', { name: 'Publish' }))
  expect(await screen.findByText(/^Not saved: /)).toBeTruthy()
  expect(content.value).toBe('News')
})

test('an admin whose session has ended signs in again beside the article, and it is published [ADM-15]', async () => {
  server.refuse(createPost, 'SignInRequired')
  server.on(login, admin)
  open('create-content')
  const content = await screen.findByLabelText<HTMLTextAreaElement>('Content')
  await waitFor(() => expect(content.readOnly).toBe(false))
  fireEvent.change(content, { target: { value: 'News of the house' } })
  fireEvent.click(screen.getByRole('button', { name: 'Publish' }))
  await screen.findByText('Sign in again')
  server.on(createPost, aPost())
  await signInAgain()
  expect(await screen.findByText('Published')).toBeTruthy()
  await waitFor(() => expect(content.value).toBe(''))
})

test('an admin schedules an article, and lands on the list of scheduled posts [LOOP-11]', async () => {
  server.on(createPost, aPost())
  open('create-content')
  const content = await screen.findByLabelText<HTMLTextAreaElement>('Content')
  await waitFor(() => expect(content.readOnly).toBe(false))
  fireEvent.change(content, { target: { value: 'News of the house' } })
  fireEvent.click(screen.getByRole('radio', { name: 'Publish on …' }))
  const [year, month] = [new Date().getFullYear() + 1, '01']
  fireEvent.change(screen.getByLabelText('Day'), { target: { value: `${year - 2}-${month}-02` } })
  expect(await screen.findByText('Please choose a time that is at least a minute ahead.')).toBeTruthy()
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Schedule' }).disabled).toBe(true)
  fireEvent.change(screen.getByLabelText('Day'), { target: { value: `${year}-${month}-02` } })
  fireEvent.change(screen.getByLabelText('Time'), { target: { value: '00:00' } })
  const schedule = screen.getByRole<HTMLButtonElement>('button', { name: 'Schedule' })
  await waitFor(() => expect(schedule.disabled).toBe(false))
  server.refuse(createPost, 'ScheduledPostsFull', { fields: { publishAt: 'You have 100 scheduled posts.' } })
  fireEvent.click(schedule)
  expect(await screen.findByText('You have 100 scheduled posts.')).toBeTruthy()
  server.on(createPost, aPost())
  fireEvent.click(schedule)
  await waitFor(() => expect(location.pathname + location.search).toBe('/writing?list=scheduled'))
  const publishAt = new Date(year, 0, 2).toISOString()
  expect(server.inputs(createPost).at(-1)).toEqual({
    content: 'News of the house',
    authorName: 'Ana Lima',
    publishAt,
  })
})
