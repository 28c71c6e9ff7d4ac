import { expect, test, vi } from 'vitest'
import { getMe } from '#contract/account/endpoints.ts'
import { queryKeyOf } from '#web/lib/api.ts'
import { forgetDraftsOf, keepDraft } from '#web/lib/editor/drafts.ts'
import { show } from '#web/testing/page.tsx'
import { ana, guest } from '#web/testing/people.ts'
import { Inbox } from './Inbox.tsx'
import { connect, emit, startMessagesPage } from './testing.tsx'

const { server } = startMessagesPage()

/** Shows a page of Ana whose stream sends no inbox. Returns who the page takes for the person. */
function showRefused() {
  const { client } = show(<Inbox personId={ana.id} />, { user: ana })
  connect()
  expect(server.calls(getMe)).toEqual([])
  emit('ready', { inbox: [] })
  return () => client.getQueryData(queryKeyOf(getMe))
}
// The interval of the other waitFor is stopped with the clock.
const { waitFor } = vi

test('an open page whose session was ended elsewhere learns it from the live stream, and no longer shows the person [INST-10 S23]', async () => {
  server.refuse(getMe, 'SignInRequired')
  const person = showRefused()
  await waitFor(() => expect(person()).toBeNull())
})

test('an open page whose browser has another session shows the other person [INST-10 S23]', async () => {
  server.on(getMe, guest)
  await keepDraft([ana.id, 'post', 'tab'], { text: 'hers', base: null })
  const person = showRefused()
  await waitFor(() => expect(person()).toEqual(guest))
  await forgetDraftsOf(ana.id)
})

test.each([
  ['whose session was ended keeps the page while a text of theirs is only in this browser', 'SignInRequired'],
  ['of whom the server cannot be asked keeps the page', 'Unexpected'],
] as const)('a person %s [INST-10 R22]', async (_how, code) => {
  server.refuse(getMe, code)
  await keepDraft([ana.id, 'post', 'tab'], { text: 'hers', base: null })
  const person = showRefused()
  await waitFor(() => expect(server.calls(getMe)).toHaveLength(1))
  await vi.advanceTimersByTimeAsync(1000)
  expect(server.calls(getMe)).toHaveLength(1)
  expect(person()).toEqual(ana)
  await forgetDraftsOf(ana.id)
})
