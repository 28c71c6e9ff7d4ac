import 'fake-indexeddb/auto'
import { act, screen, waitFor } from '@testing-library/react'
import type { ReactNode } from 'react'
import { expect, test, vi } from 'vitest'
import { getDraft, saveDraft } from '#contract/drafts/endpoints.ts'
import { type EditablePost, getOwnPost } from '#contract/feed/own/endpoints.ts'
import { listFriends } from '#contract/friends/endpoints.ts'
import { getInstanceSettings } from '#contract/instance/endpoints.ts'
import { instanceDefaults, instanceLabels } from '#contract/instance/settings.ts'
import { listFinishedRooms, listOpenRooms, listRooms, listSlowRooms } from '#contract/rooms/endpoints.ts'
import { giveBuckets } from '#web/lib/testing.ts'
import { fakeSources } from '#web/lib/live/testing.ts'
import { config, show, startTestPage } from '#web/testing/page.tsx'
import { admin } from '#web/testing/people.ts'
import { CreateContent } from './features/admin/CreateContent.tsx'
import { competitionOf } from './features/competitions/competition.ts'
import { EntryDialog } from './features/competitions/EntryDialog.tsx'
import { InstanceForm } from './features/instance/InstanceForm.tsx'
import { ChangePage } from './features/posts/ChangePage.tsx'
import { CreatePostDialog } from './features/posts/CreatePostDialog.tsx'
import { noChoices } from './features/posts/draft-choices.ts'
import { WritePage } from './features/posts/WritePage.tsx'
import { noChoices as noRoomChoices } from './features/rooms/room-draft.ts'
import { RoomsPage } from './features/rooms/index.ts'
import { RoomForm } from './features/rooms/RoomForm.tsx'
import type { KeptKeys } from './lib/storage.ts'

let given = Promise.withResolvers<KeptKeys>()
vi.mock('./lib/kept-keys.ts', async (original) => ({
  ...(await original<object>()),
  readKeptKeys: () => given.promise,
}))

const server = startTestPage()
let people = 0

const id = '01900000-0000-7000-8000-000000000001'
const competition = competitionOf(new Date('2025-06-10'), config.timeZone, config.submissionPortal)
const updatedAt = '2025-06-10T12:00:00.000Z'
const post: EditablePost = {
  id,
  content: 'Rain',
  authorName: 'Ana',
  postType: 'standard',
  category: null,
  tags: [],
  form: null,
  status: 'published',
  hasWaitingVersion: false,
  updatedAt,
  publishedAt: updatedAt,
  editedAt: null,
}
const close = () => {}
const chosen = { ...noChoices, authorName: 'Rain' }

test.each<[form: string, page: () => ReactNode, label: string, stored: Record<string, object>]>([
  [
    'an article',
    () => <CreateContent />,
    'Author name',
    { 'article-draft': { authorName: 'Rain', imageUrl: '' } },
  ],
  [
    'the settings of an instance',
    () => <InstanceForm />,
    instanceLabels.name,
    { 'instance-draft': { changes: { name: 'Rain' }, base: null } },
  ],
  [
    'a competition entry',
    () => <EntryDialog competition={competition} onClose={close} />,
    'Title',
    { 'competition-entry': { title: 'Rain', authorName: '', email: '', bio: '' } },
  ],
  ['a room', () => <RoomsPage />, 'Room name', { 'room-draft': { ...noRoomChoices, name: 'Rain' } }],
  [
    'a post',
    () => <CreatePostDialog onClose={close} />,
    'Author name',
    { 'current-draft': { id }, [`post-draft/${id}`]: { chosen } },
  ],
  ['a draft', () => <WritePage id={id} />, 'Your text', {}],
  ['a published post', () => <ChangePage id={id} />, 'Your text', {}],
])(
  'the form of %s waits until its stored fields are read, and then shows them [OWN-21 R22]',
  async (...row) => {
    const [, page, label, stored] = row
    giveBuckets()
    // The lists of rooms are live.
    Object.defineProperty(navigator, 'locks', { value: undefined, configurable: true })
    fakeSources()
    given = Promise.withResolvers()
    const draft = { ...post, postType: 'standard' as const, postId: null, createdAt: updatedAt }
    server.on(getDraft, draft)
    // The stored fields differ from those of the server, so the draft may be sent before the form closes.
    server.on(saveDraft, draft)
    server.on(getOwnPost, post)
    for (const list of [listRooms, listOpenRooms, listSlowRooms, listFinishedRooms, listFriends])
      server.on(list, [])
    const environment = { name: 'A Company', supportEmail: 'help@example.org' }
    server.on(getInstanceSettings, { ...instanceDefaults, updatedAt, environment })
    // A page reads the keys of a person once, so each row has a person of its own.
    const user = { ...admin, id: `person${++people}` }
    const { client } = show(page(), { user, at: '/zimmers?with=ben' })
    // The page of rooms loads the form when it is opened.
    expect(RoomForm).toBeDefined()
    await act(() => vi.waitFor(() => expect(client.isFetching()).toBe(0)))
    expect(screen.queryAllByRole('textbox')).toEqual([])
    const texts = Object.entries(stored).map(
      ([name, value]) => [`${name}:${user.id}`, JSON.stringify(value)] as const,
    )
    const kept = new Map(texts)
    await act(async () => given.resolve({ texts: kept, put: () => {} }))
    await waitFor(() => expect(screen.getByLabelText<HTMLInputElement>(label).value).toBe('Rain'))
    // The next file has the same modules.
    kept.clear()
  },
)
