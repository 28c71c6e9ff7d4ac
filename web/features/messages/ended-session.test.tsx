import { expect, test, vi } from 'vitest'
import { getMe } from '#contract/account/endpoints.ts'
import { queryKeyOf } from '#web/lib/api.ts'
import { show } from '#web/testing/page.tsx'
import { ana } from '#web/testing/people.ts'
import { Inbox } from './Inbox.tsx'
import { connect, emit, startMessagesPage } from './testing.tsx'

const { server } = startMessagesPage()

test('an open page whose session was ended elsewhere learns it from the live stream, and no longer shows the person [INST-10 S23]', async () => {
  const { client } = show(<Inbox personId={ana.id} />, { user: ana })
  connect()
  expect(server.calls(getMe)).toEqual([])
  server.refuse(getMe, 'SignInRequired')
  emit('ready', { inbox: [] })
  // The interval of the other waitFor is stopped with the clock.
  await vi.waitFor(() => expect(client.getQueryData(queryKeyOf(getMe))).toBeNull())
  expect(server.calls(getMe)).toHaveLength(1)
})
