import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { coverGone, coverMaxBytes, picturesOnly } from '#contract/covers/cover.ts'
import { uploadCover } from '#contract/covers/endpoints.ts'
import { coverErrors } from '#contract/covers/errors.ts'
import { createPost } from '#contract/feed/endpoints.ts'
import { aPost } from '#web/features/feed/testing.tsx'
import { startFakeUploads } from '#web/testing/fake-upload.ts'
import { press } from '#web/testing/page.tsx'
import { open, startAdminPage } from './testing.tsx'

const server = startAdminPage()
const imageUrl = '/uploads/covers/01975ad0-0000-7000-8000-000000000001_1200x800.webp'
const picture = (type = 'image/png') => new File(['a picture'], 'night.png', { type })

async function openForm() {
  const sent = startFakeUploads()
  const page = open('create-content')
  const content = await screen.findByLabelText<HTMLTextAreaElement>('Content')
  await waitFor(() => expect(content.readOnly).toBe(false))
  fireEvent.change(content, { target: { value: 'News of the house' } })
  const field = screen.getByLabelText<HTMLInputElement>('Picture (optional)')
  const choose = (file: File) => fireEvent.change(field, { target: { files: [file] } })
  return { sent, page, content, field, choose }
}
const address = () => screen.getByLabelText<HTMLInputElement>('Or the address of a picture of this site')
const publish = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Publish' })

test('an admin chooses a picture, sees it and how much is sent, and publishes the article with it [ADM-15 S33]', async () => {
  let answer = (_cover: { imageUrl: string }) => {}
  server.on(uploadCover, () => new Promise((resolve) => (answer = resolve)))
  server.on(createPost, aPost())
  const { sent, choose } = await openForm()
  choose(picture())
  const progress = await screen.findByRole<HTMLProgressElement>('progressbar', { name: 'Upload' })
  act(() => sent[0]!.progress(30, 120))
  expect(progress.value).toBe(0.25)
  expect(sent.map(({ field, file }) => [field, file.name])).toEqual([['cover', 'night.png']])
  expect((await screen.findByAltText<HTMLImageElement>('Preview')).src).toMatch(/^data:image\/png/)
  expect(publish().disabled).toBe(true)
  await act(async () => answer({ imageUrl }))
  await waitFor(() => expect(address().value).toBe(imageUrl))
  expect(screen.getByAltText('Preview').getAttribute('src')).toBe(imageUrl)
  fireEvent.click(publish())
  expect(await screen.findByText('Published')).toBeTruthy()
  expect(server.inputs(createPost)).toEqual([
    { content: 'News of the house', authorName: 'Ana Lima', imageUrl },
  ])
  await waitFor(() => expect(screen.queryByAltText('Preview')).toBeNull())
})

test('an admin drops a picture, and the draft keeps it with the text [S33]', async () => {
  server.on(uploadCover, { imageUrl })
  const { page } = await openForm()
  fireEvent.drop(screen.getByRole('group', { name: 'Picture' }), { dataTransfer: { files: [picture()] } })
  await waitFor(() => expect(address().value).toBe(imageUrl))
  fireEvent.change(screen.getByLabelText('Author name'), { target: { value: 'The house' } })
  await screen.findByText('Safe on this device')
  page.unmount()
  open('create-content')
  await waitFor(() =>
    expect(screen.getByLabelText<HTMLTextAreaElement>('Content').value).toBe('News of the house'),
  )
  expect(address().value).toBe(imageUrl)
  expect(screen.getByLabelText<HTMLInputElement>('Author name').value).toBe('The house')
})

test.each([
  ['a text', picture('text/plain'), picturesOnly],
  [
    'a picture of over 10 MB',
    Object.defineProperty(picture(), 'size', { value: coverMaxBytes + 1 }),
    'This picture is larger than 10 MB.',
  ],
])('an admin who chooses %s reads why not, and nothing is sent [S33]', async (_what, file, sentence) => {
  const { sent, content, choose, field } = await openForm()
  choose(file)
  expect(await screen.findByText(sentence)).toBeTruthy()
  expect(field.getAttribute('aria-invalid')).toBe('true')
  expect(sent).toEqual([])
  expect(content.value).toBe('News of the house')
})

test.each(['PictureTooLarge', 'PictureUnreadable'] as const)(
  'an admin whose picture is refused with %s reads the sentence at the field, and the text stays [S33]',
  async (code) => {
    server.refuse(uploadCover, code)
    const { content, choose, field } = await openForm()
    choose(picture())
    expect(await screen.findByText(coverErrors[code].error)).toBeTruthy()
    expect(document.activeElement).toBe(field)
    expect(screen.queryByAltText('Preview')).toBeNull()
    expect(screen.queryByText('Try again')).toBeNull()
    expect(content.value).toBe('News of the house')
  },
)

test('an admin without a connection reads so, keeps the picture, and sends it again [S33]', async () => {
  server.disconnect(uploadCover)
  const { sent, choose } = await openForm()
  choose(picture())
  expect(await screen.findByText('The picture could not be uploaded. Check the connection.')).toBeTruthy()
  server.on(uploadCover, { imageUrl })
  press('Try again')
  await waitFor(() => expect(address().value).toBe(imageUrl))
  expect(sent).toHaveLength(2)
})

test('an admin cancels an upload, chooses again, and removes the picture [S33]', async () => {
  server.hold(uploadCover)
  const { choose, field } = await openForm()
  choose(picture())
  await screen.findByRole('progressbar')
  press('Cancel upload')
  await waitFor(() => expect(screen.queryByAltText('Preview')).toBeNull())
  expect(screen.queryByRole('progressbar')).toBeNull()
  expect(document.activeElement).toBe(field)
  expect(address().value).toBe('')
  server.on(uploadCover, { imageUrl })
  choose(picture())
  await waitFor(() => expect(address().value).toBe(imageUrl))
  press('Remove the picture')
  expect(address().value).toBe('')
  expect(screen.queryByAltText('Preview')).toBeNull()
  expect(document.activeElement).toBe(field)
})

test('an admin pastes the address of a picture, and reads at the field when the server has no such picture [ADM-15]', async () => {
  server.refuse(createPost, 'InvalidInput', { error: coverGone, fields: { imageUrl: coverGone } })
  const { content } = await openForm()
  fireEvent.change(address(), { target: { value: `${location.origin}${imageUrl}` } })
  expect(address().value).toBe(imageUrl)
  fireEvent.click(publish())
  const group = within(screen.getByRole('group', { name: 'Picture' }))
  expect(await group.findByText(coverGone)).toBeTruthy()
  expect(address().getAttribute('aria-invalid')).toBe('true')
  expect(content.value).toBe('News of the house')
})
