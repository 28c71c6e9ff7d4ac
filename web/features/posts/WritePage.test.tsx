import 'fake-indexeddb/auto'
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { login } from '#contract/account/endpoints.ts'
import type { Draft } from '#contract/drafts/draft.ts'
import { createDraft, deleteDraft, getDraft, listDrafts, saveDraft } from '#contract/drafts/endpoints.ts'
import { submitPost } from '#contract/feed/endpoints.ts'
import { changePost, type EditablePost, getOwnPost } from '#contract/feed/own/endpoints.ts'
import { queryKeyOf, useEndpoint } from '#web/lib/api.ts'
import { forgetDraftsOf, hasDrafts } from '#web/lib/editor/drafts.ts'
import { guestId } from '#web/lib/session-keys.ts'
import { button, press, show, startTestPage } from '#web/testing/page.tsx'
import { ana } from '#web/testing/people.ts'
import { ChangePage } from './ChangePage.tsx'
import { CreatePostDialog } from './CreatePostDialog.tsx'
import { WritePage } from './WritePage.tsx'

const server = startTestPage()
const id = '01900000-0000-7000-8000-000000000001'
const aDraft = (more: Partial<Draft> = {}): Draft => ({
  id,
  content: 'The moon\nis late',
  authorName: null,
  postType: 'standard',
  form: null,
  category: null,
  tags: [],
  postId: null,
  createdAt: '2025-06-10T10:00:00.000Z',
  updatedAt: '2025-06-10T10:00:00.000Z',
  ...more,
})

/** The server stores drafts as ours does: a save from an older base is a conflict. */
function storeDrafts(first?: Draft) {
  const stored = new Map<string, Draft>(first && [[first.id, first]])
  let saves = 0
  const put = (draft: Draft) => {
    stored.set(draft.id, { ...draft, updatedAt: `2025-06-10T11:00:00.${String(++saves).padStart(3, '0')}Z` })
    return stored.get(draft.id)!
  }
  server.on(getDraft, ({ params, fail }) => stored.get(params.id) ?? fail('DraftNotFound'))
  server.on(createDraft, ({ input, fail }) => {
    const current = stored.get(input.id!)
    return current ? fail('DraftConflict', { current }) : put({ ...aDraft(), ...(input as Partial<Draft>) })
  })
  server.on(saveDraft, ({ params, input, fail }) => {
    const current = stored.get(params.id) ?? fail('DraftNotFound')
    const { base, ...fields } = input
    return base === current.updatedAt
      ? put({ ...current, ...(fields as Partial<Draft>) })
      : fail('DraftConflict', { current })
  })
  server.on(deleteDraft, ({ params, query: { base }, fail }) => {
    if (base !== undefined && base !== stored.get(params.id)?.updatedAt) fail('DraftNotFound')
    stored.delete(params.id)
    return { ok: true as const }
  })
  return { stored, put }
}

beforeEach(async () => {
  await forgetDraftsOf(guestId())
  localStorage.clear()
})

const text = () => screen.getByLabelText<HTMLTextAreaElement>('Your text')
const write = (value: string) => fireEvent.change(text(), { target: { value } })
const untilOpen = () => waitFor(() => expect(text().readOnly).toBe(false))
const open = async () => {
  show(<WritePage id={id} />, { at: `/write/${id}`, user: ana })
  await untilOpen()
}
const save = () => fireEvent.keyDown(document.body, { key: 's', ctrlKey: true })

test('a person continues a draft of another device, and each change is stored on the server within seconds [LOOP-01 LOOP-05]', async () => {
  const { stored } = storeDrafts(aDraft())
  await open()
  expect(text().value).toBe('The moon\nis late')
  expect(await screen.findByText('4 words, 1 min to read')).toBeTruthy()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true })
  write('The moon\nis here')
  await vi.advanceTimersByTimeAsync(2500)
  vi.useRealTimers()
  await waitFor(() => expect(stored.get(id)!.content).toBe('The moon\nis here'))
  expect(await screen.findByText(/^Saved /)).toBeTruthy()
  await waitFor(async () => expect(await hasDrafts(ana.id)).toBe(false))
})

test('a person whose session has ended signs in again beside the text, and it is saved [LOOP-05]', async () => {
  const { stored } = storeDrafts(aDraft())
  await open()
  server.refuse(saveDraft, 'SignInRequired')
  write('Still mine')
  save()
  await screen.findByText('Not saved. Log in and try again; your text is kept here.')
  storeDrafts(stored.get(id))
  server.on(login, ana)
  press('Sign in again')
  fireEvent.change(await screen.findByLabelText('Passcode'), { target: { value: 'secret1' } })
  press('Continue')
  expect(await screen.findByText(/^Saved /)).toBeTruthy()
  await waitFor(async () => expect(await hasDrafts(ana.id)).toBe(false))
})

test('a person who goes on writing after the session has ended keeps the button to sign in again [LOOP-05]', async () => {
  storeDrafts(aDraft())
  await open()
  server.refuse(saveDraft, 'SignInRequired')
  write('Still mine')
  save()
  const button = await screen.findByText('Sign in again')
  const refused = server.calls(saveDraft).length
  write('Still mine, and more')
  expect(button.isConnected).toBe(true)
  save()
  expect(button.isConnected).toBe(true)
  await waitFor(() => expect(server.calls(saveDraft).length).toBeGreaterThan(refused))
  await screen.findByText('Not saved. Log in and try again; your text is kept here.')
  expect(button.isConnected).toBe(true)
})

test('a person who leaves the page right after a letter loses nothing: the text is sent at once [LOOP-05]', async () => {
  const { stored } = storeDrafts(aDraft())
  await open()
  write('The last letter')
  const before = server.calls(saveDraft).length
  cleanup()
  await waitFor(() => expect(server.calls(saveDraft).length).toBe(before + 1))
  await waitFor(() => expect(stored.get(id)!.content).toBe('The last letter'))
})

test('a person who leaves the page for the list of drafts right after a letter finds it there [LOOP-05]', async () => {
  const { stored, put } = storeDrafts(aDraft())
  const reading = Promise.withResolvers<void>()
  const saved = Promise.withResolvers<void>()
  server.on(listDrafts, async () => {
    const listed = [...stored.values()].map((draft) => ({ ...draft, beginning: draft.content, wordCount: 3 }))
    reading.resolve()
    await saved.promise
    return listed
  })
  server.on(saveDraft, async ({ input }) => {
    await reading.promise
    return put(aDraft({ content: input.content! }))
  })
  const { client, rerender } = show(<WritePage id={id} />, { at: `/write/${id}`, user: ana })
  await untilOpen()
  write('The last letter')
  const List = () => useEndpoint(listDrafts).data?.map(({ beginning }) => beginning)
  rerender(<List />)
  const here = () => client.getQueryData<Draft>(queryKeyOf(getDraft, { params: { id } }))!
  await waitFor(() => expect(here().content).toBe('The last letter'))
  saved.resolve()
  expect(await screen.findByText('The last letter')).toBeTruthy()
})

test('a person who wrote without a connection finds the text here again, and it is stored when the server answers [LOOP-05]', async () => {
  const { stored } = storeDrafts(aDraft())
  server.disconnect(saveDraft)
  await open()
  write('Written in a tunnel')
  await waitFor(async () => expect(await hasDrafts(ana.id)).toBe(true))
  cleanup()
  storeDrafts(stored.get(id))
  await open()
  await waitFor(() => expect(text().value).toBe('Written in a tunnel'))
  save()
  expect(await screen.findByText(/^Saved /)).toBeTruthy()
})

test('a person who changed the draft on another device meanwhile sees both texts, and the one they keep is stored [LOOP-05]', async () => {
  const { stored, put } = storeDrafts(aDraft())
  await open()
  put(aDraft({ content: 'From the other device' }))
  write('From this device')
  save()
  const dialog = within(await screen.findByRole('dialog', { name: 'Two versions of this text' }))
  expect(dialog.getByLabelText<HTMLTextAreaElement>('Saved elsewhere').value).toBe('From the other device')
  expect(stored.get(id)!.content).toBe('From the other device')
  press('Keep this version')
  await waitFor(() => expect(stored.get(id)!.content).toBe('From this device'))
})

/** Another device sends or deletes the draft, and the person here writes on. */
async function writeOnAfterItIsGone() {
  const { stored } = storeDrafts(aDraft({ tags: ['moon'] }))
  await open()
  stored.clear()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true })
  write('Still here')
  // A call that was answered 404 is tried again first.
  await vi.advanceTimersByTimeAsync(30_000)
  vi.useRealTimers()
  expect(await screen.findByText('This text was sent or deleted on another device.')).toBeTruthy()
  return stored
}

test('a draft that was sent or deleted on another device is not stored again by itself, and its author keeps it as a new one [LOOP-05]', async () => {
  const stored = await writeOnAfterItIsGone()
  expect(server.calls(createDraft)).toEqual([])
  expect(text().value).toBe('Still here')
  expect(screen.getByText('Safe on this device')).toBeTruthy()
  expect(await hasDrafts(ana.id)).toBe(true)
  cleanup()
  expect(stored.size).toBe(0)
  await open()
  expect(text().value).toBe('Still here')
  save()
  await screen.findByRole('button', { name: 'Keep it as a new draft' }, { timeout: 15_000 })
  press('Keep it as a new draft')
  await waitFor(() => expect(stored.get(id)).toMatchObject({ content: 'Still here', tags: ['moon'] }))
  await waitFor(() => expect(screen.queryByText(/on another device\.$/)).toBeNull())
})

test('an author whose draft was sent on another device discards the text here, and nothing is stored [LOOP-05]', async () => {
  const stored = await writeOnAfterItIsGone()
  press('Discard it here')
  await waitFor(() => expect(location.pathname).toBe('/writing'))
  cleanup()
  expect(await hasDrafts(ana.id)).toBe(false)
  expect([stored.size, server.calls(createDraft).length]).toEqual([0, 0])
})

test('a person goes from Create Post to the page: it has the text, the author name and the option chosen there [LOOP-02]', async () => {
  storeDrafts()
  show(<CreatePostDialog onClose={() => {}} />, { user: ana })
  await untilOpen()
  expect(screen.getByText('Saved to your account as you write.')).toBeTruthy()
  write('A line')
  fireEvent.change(screen.getByLabelText('Author name'), { target: { value: 'Nightingale' } })
  fireEvent.click(screen.getByRole('radio', { name: /Premium/ }))
  press('Open as a page')
  await waitFor(() => expect(location.pathname).toMatch(/^\/write\/[0-9a-f-]{36}$/))
  const opened = location.pathname.split('/')[2]!
  cleanup()
  show(<WritePage id={opened} />, { at: location.pathname, user: ana })
  await waitFor(() => expect(text().value).toBe('A line'))
  press('Publish…')
  expect((await screen.findByLabelText<HTMLInputElement>('Author name')).value).toBe('Nightingale')
  expect(screen.getByRole<HTMLInputElement>('radio', { name: /Premium/ }).checked).toBe(true)
  // And back.
  cleanup()
  show(<CreatePostDialog onClose={() => {}} />, { user: ana })
  await waitFor(() => expect(text().value).toBe('A line'))
})

const submitted = { id, status: 'pending', createdAt: '2025-06-10T12:00:00.000Z' } as const

test('a person publishes in a step of its own: standard is the default, the card shows the choices, and they are sent [LOOP-03]', async () => {
  const { stored } = storeDrafts(aDraft())
  server.on(submitPost, submitted)
  await open()
  press('Publish…')
  const step = within(await screen.findByRole('dialog', { name: 'Publish' }))
  expect(step.getByRole<HTMLInputElement>('radio', { name: /Standard/ }).checked).toBe(true)
  expect(step.getByText('Free. Your post is reviewed first; this takes up to 1 week.')).toBeTruthy()
  expect(step.getByText('Published instantly. Subscription of $5/month.')).toBeTruthy()
  // Two short lines are guessed to be verse.
  expect(step.getByRole<HTMLInputElement>('radio', { name: 'Verse' }).checked).toBe(true)
  fireEvent.click(step.getByRole('radio', { name: 'Prose' }))
  fireEvent.change(step.getByLabelText('Category'), { target: { value: 'Poetry' } })
  fireEvent.change(step.getByLabelText('Tags (optional)'), {
    target: { value: 'night, moon,, Night , été, e\u0301te\u0301' },
  })
  const card = within(step.getByRole('region', { name: 'How readers will see it' }))
  expect(card.getByText('Ana Lima')).toBeTruthy()
  expect(card.getByText('Poetry')).toBeTruthy()
  expect(card.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    '#night',
    '#moon',
    '#été',
  ])
  press('Submit')
  // The list that has the text now.
  await waitFor(() => expect(location.pathname + location.search).toBe('/writing?list=review'))
  expect(server.inputs(submitPost)).toEqual([
    {
      content: 'The moon\nis late',
      authorName: 'Ana Lima',
      draftId: id,
      draftBase: aDraft().updatedAt,
      form: 'prose',
      category: 'Poetry',
      tags: ['night', 'moon', 'été'],
    },
  ])
  expect(stored.size).toBe(1)
  expect(await hasDrafts(ana.id)).toBe(false)
})

test('a person who publishes while a newer text waits for the save of an older one has the newer text sent [LOOP-03]', async () => {
  const { put } = storeDrafts(aDraft())
  server.on(submitPost, submitted)
  await open()
  const isAnswered = Promise.withResolvers<void>()
  server.on(saveDraft, async ({ input }) => {
    await isAnswered.promise
    return put(aDraft({ content: input.content }))
  })
  write('The moon is here')
  save()
  await waitFor(() => expect(server.calls(saveDraft)).toHaveLength(1))
  write('The moon is here again')
  save()
  press('Publish…')
  await screen.findByRole('dialog', { name: 'Publish' })
  press('Submit')
  isAnswered.resolve()
  await waitFor(() => expect(location.pathname + location.search).toBe('/writing?list=review'))
  expect(server.inputs(submitPost).map(({ content }) => content)).toEqual(['The moon is here again'])
})

test('a person whose post is refused reads why at the field, and nothing that was chosen is lost [LOOP-03]', async () => {
  storeDrafts(aDraft())
  const error = 'Please use letters in the tag.'
  server.refuse(submitPost, 'InvalidInput', { fields: { tags: error } })
  await open()
  press('Publish…')
  const tags = await screen.findByLabelText<HTMLInputElement>('Tags (optional)')
  fireEvent.change(tags, { target: { value: '123' } })
  press('Submit')
  expect(await screen.findByText(error)).toBeTruthy()
  expect([tags.value, tags.getAttribute('aria-invalid')]).toEqual(['123', 'true'])
  fireEvent.change(tags, { target: { value: 'x'.repeat(31) } })
  expect(button('Submit').disabled).toBe(true)
  press('Keep writing')
  expect(text().value).toBe('The moon\nis late')
})

const post: EditablePost = {
  id,
  content: 'The moom is late',
  authorName: 'Ana Lima',
  postType: 'premium',
  category: 'Poetry',
  tags: ['moon'],
  form: null,
  status: 'published',
  hasWaitingVersion: false,
  updatedAt: '2025-06-10T09:00:00.000Z',
  publishedAt: '2025-06-10T09:00:00.000Z',
  editedAt: null,
}

test('an author corrects a published post: the text and its choices are there, and the draft of the change is deleted with it [LOOP-06]', async () => {
  const { stored } = storeDrafts()
  server.on(getOwnPost, post)
  server.on(changePost, { ...submitted, status: 'published' })
  show(<ChangePage id={id} />, { at: `/write/post/${id}`, user: ana })
  await waitFor(() => expect(text().value).toBe('The moom is late'))
  await untilOpen()
  write('The moon is late')
  save()
  await waitFor(() => expect(stored.get(id)).toMatchObject({ content: 'The moon is late', postId: id }))
  await screen.findByText(/^Saved /)
  press('Save changes…')
  const step = within(await screen.findByRole('dialog', { name: 'Change this post' }))
  expect(step.getByText('Readers see the new text at once, and that it was edited.')).toBeTruthy()
  expect(step.queryByLabelText('Author name')).toBeNull()
  fireEvent.click(step.getByRole('button', { name: 'Save changes' }))
  await waitFor(() => expect(location.pathname).toBe(`/posts/${id}`))
  expect(server.inputs(changePost)).toEqual([
    { content: 'The moon is late', base: post.updatedAt, form: null, category: 'Poetry', tags: ['moon'] },
  ])
  expect(stored.size).toBe(0)
})

test('a text of the change that another device has saved meanwhile stays after the change is sent [LOOP-06 R22]', async () => {
  const { stored, put } = storeDrafts(aDraft({ postId: id }))
  server.on(getOwnPost, post)
  server.on(changePost, () => {
    put(aDraft({ postId: id, content: 'Of the other device' }))
    return { ...submitted, status: 'published' as const }
  })
  show(<ChangePage id={id} />, { at: `/write/post/${id}`, user: ana })
  await waitFor(() => expect(text().value).toBe('The moon\nis late'))
  await untilOpen()
  press('Save changes…')
  fireEvent.click(await screen.findByRole('button', { name: 'Save changes' }))
  await waitFor(() => expect(location.pathname).toBe(`/posts/${id}`))
  expect(stored.get(id)).toMatchObject({ content: 'Of the other device' })
})

test('an author who changed the post elsewhere meanwhile sees both texts before anything is replaced [LOOP-06]', async () => {
  storeDrafts()
  server.on(getOwnPost, post)
  server.on(changePost, ({ input, fail }) =>
    input.base === later.updatedAt ? { ...submitted, status: 'published' as const } : fail('PostConflict'),
  )
  show(<ChangePage id={id} />, { at: `/write/post/${id}`, user: ana })
  await waitFor(() => expect(text().value).toBe('The moom is late'))
  await untilOpen()
  write('The moon is late')
  const later = { ...post, content: 'The moon, late', updatedAt: '2025-06-10T10:30:00.000Z' }
  server.on(getOwnPost, later)
  press('Save changes…')
  fireEvent.click(await screen.findByRole('button', { name: 'Save changes' }))
  const both = within(await screen.findByRole('dialog', { name: 'Two versions of this text' }))
  expect(both.getByLabelText<HTMLTextAreaElement>('Saved elsewhere').value).toBe('The moon, late')
  press('Keep this version')
  fireEvent.click(await screen.findByRole('button', { name: 'Save changes' }))
  await waitFor(() => expect(location.pathname).toBe(`/posts/${id}`))
  expect(server.inputs(changePost).at(-1)).toMatchObject({
    base: later.updatedAt,
    content: 'The moon is late',
  })
})

test('a visitor writes on the page, and the draft stays in this browser until it is sent [LOOP-01]', async () => {
  show(<WritePage />, { at: '/write', user: null })
  await untilOpen()
  write('A line')
  await waitFor(async () => expect(await hasDrafts(guestId())).toBe(true))
  save()
  expect(screen.getByText(/Safe on this device|Not saved yet/)).toBeTruthy()
  cleanup()
  show(<CreatePostDialog onClose={() => {}} />, { user: null })
  await waitFor(() => expect(text().value).toBe('A line'))
})
