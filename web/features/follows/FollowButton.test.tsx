import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { useState } from 'react'
import { expect, onTestFinished, test } from 'vitest'
import type { User } from '#contract/account/user.ts'
import { followPerson, listFollowedIds, unfollowPerson } from '#contract/follows/endpoints.ts'
import { done } from '#contract/schemas.ts'
import { allCreators } from '#web/features/creators/index.ts'
import { answersOf } from '#web/lib/answers-of.ts'
import { button, press, show, startTestPage } from '#web/testing/page.tsx'
import { ana, guest } from '#web/testing/people.ts'
import { FollowButton } from './FollowButton.tsx'
import { serveFollows } from './testing.tsx'
import { useFollowed } from './use-follows.ts'

const server = startTestPage()
const ben = { id: 'b3n0000000', name: 'Ben Okoro' }
const open = (user: User | null, who = ben) => show(<FollowButton {...who} />, { user })

test.each<[who: string, user: User | null, whom: typeof ben]>([
  ['a visitor', null, ben],
  ['a guest', guest, ben],
  ['a registered reader of a sample creator', ana, allCreators[0]!],
  ['a registered reader of a name without a page', ana, { id: 'name:ben okoro', name: 'Ben Okoro' }],
])(
  'the follow of %s is a mark of the page, and nothing of it is sent [CRE-47 LOOP-17]',
  async (_who, user, whom) => {
    open(user, whom)
    await screen.findByRole('button', { name: `Follow ${whom.name}` })
    press(/^Follow/)
    expect(button(`Following ${whom.name}`)).toBeTruthy()
    press(/^Following/)
    expect(button(`Follow ${whom.name}`)).toBeTruthy()
    expect(server.requests).toEqual([])
  },
)

test('a registered reader follows a person with a page, and the server keeps it [LOOP-17]', async () => {
  serveFollows(server)
  open(ana)
  fireEvent.click(await screen.findByRole('button', { name: 'Follow Ben Okoro' }))
  fireEvent.click(await screen.findByRole('button', { name: 'Following Ben Okoro' }))
  expect(await screen.findByRole('button', { name: 'Follow Ben Okoro' })).toBeTruthy()
  await waitFor(() =>
    expect(server.changes).toEqual([`PUT /api/follows/${ben.id}`, `DELETE /api/follows/${ben.id}`]),
  )
})

test('a reader who follows somebody on another device can unfollow here [LOOP-17]', async () => {
  serveFollows(server, ['another000', ben.id])
  open(ana)
  fireEvent.click(await screen.findByRole('button', { name: 'Following Ben Okoro' }))
  expect(await screen.findByRole('button', { name: 'Follow Ben Okoro' })).toBeTruthy()
  await waitFor(() => expect(server.calls(unfollowPerson)).toHaveLength(1))
})

test('a refused follow is taken back, and the reader reads why [LOOP-17]', async () => {
  server.on(listFollowedIds, [])
  server.refuse(followPerson, 'FollowsFull')
  open(ana)
  fireEvent.click(await screen.findByRole('button', { name: 'Follow Ben Okoro' }))
  expect(await screen.findByText('You follow 1000 people. Please unfollow somebody first.')).toBeTruthy()
  expect(button('Follow Ben Okoro')).toBeTruthy()
})

test('a change waits for the one before, so that the last press decides [LOOP-17]', async () => {
  const gate = Promise.withResolvers<typeof done>()
  server.on(listFollowedIds, [])
  server.on(followPerson, () => gate.promise)
  server.on(unfollowPerson, done)
  open(ana)
  fireEvent.click(await screen.findByRole('button', { name: 'Follow Ben Okoro' }))
  // Shown before the server has answered.
  fireEvent.click(await screen.findByRole('button', { name: 'Following Ben Okoro' }))
  await waitFor(() => expect(server.calls(followPerson)).toHaveLength(1))
  expect(server.calls(unfollowPerson)).toEqual([])
  gate.resolve(done)
  await waitFor(() => expect(server.calls(unfollowPerson)).toHaveLength(1))
})

test('two presses before the page is drawn again follow and unfollow [LOOP-17]', async () => {
  serveFollows(server)
  open(ana)
  const pressed = await screen.findByRole('button', { name: 'Follow Ben Okoro' })
  fireEvent.click(pressed)
  fireEvent.click(pressed)
  await waitFor(() =>
    expect(server.changes).toEqual([`PUT /api/follows/${ben.id}`, `DELETE /api/follows/${ben.id}`]),
  )
})

test('a change waits for the one that another button of the same person began [LOOP-17]', async () => {
  const gate = Promise.withResolvers<typeof done>()
  server.on(listFollowedIds, [])
  server.on(followPerson, () => gate.promise)
  server.on(unfollowPerson, done)
  const Rows = () => {
    const [row, setRow] = useState('Recently viewed')
    return (
      <>
        <button type="button" onClick={() => setRow('favourites')}>
          Move
        </button>
        <FollowButton key={row} {...ben} />
      </>
    )
  }
  show(<Rows />, { user: ana })
  fireEvent.click(await screen.findByRole('button', { name: 'Follow Ben Okoro' }))
  await screen.findByRole('button', { name: 'Following Ben Okoro' })
  press('Move')
  press('Following Ben Okoro')
  expect(await screen.findByRole('button', { name: 'Follow Ben Okoro' })).toBeTruthy()
  expect(server.changes).toEqual([`PUT /api/follows/${ben.id}`])
  gate.resolve(done)
  await waitFor(() =>
    expect(server.changes).toEqual([`PUT /api/follows/${ben.id}`, `DELETE /api/follows/${ben.id}`]),
  )
})

test('an answer that was under way does not undo a follow on the page [LOOP-17]', async () => {
  server.on(listFollowedIds, [])
  server.hold(followPerson)
  const { client } = open(ana)
  await screen.findByRole('button', { name: 'Follow Ben Okoro' })
  const read = Promise.withResolvers<string[]>()
  server.on(listFollowedIds, () => read.promise)
  void client.invalidateQueries(answersOf([listFollowedIds]))
  await waitFor(() => expect(server.calls(listFollowedIds)).toHaveLength(2))
  press('Follow Ben Okoro')
  await screen.findByRole('button', { name: 'Following Ben Okoro' })
  read.resolve([])
  await waitFor(() => expect(client.isFetching()).toBe(0))
  expect(button('Following Ben Okoro')).toBeTruthy()
})

test('another tab of the browser follows a change at once, and tells its own [LOOP-17]', async () => {
  server.on(listFollowedIds, [])
  server.on(unfollowPerson, done)
  open(ana)
  await screen.findByRole('button', { name: 'Follow Ben Okoro' })
  const otherTab = new BroadcastChannel('follows')
  onTestFinished(() => otherTab.close())
  const changes: unknown[] = []
  otherTab.onmessage = ({ data }) => void changes.push(data)
  server.on(listFollowedIds, [ben.id])
  otherTab.postMessage('changed')
  fireEvent.click(await screen.findByRole('button', { name: 'Following Ben Okoro' }))
  await waitFor(() => expect(changes).toEqual(['changed']))
})

test('a page that becomes visible again shows whom another device follows [LOOP-17]', async () => {
  server.on(listFollowedIds, [])
  open(ana)
  await screen.findByRole('button', { name: 'Follow Ben Okoro' })
  server.on(listFollowedIds, [ben.id])
  act(() => void document.dispatchEvent(new Event('visibilitychange')))
  expect(await screen.findByRole('button', { name: 'Following Ben Okoro' })).toBeTruthy()
})

test('a reader whose follows could not be loaded is not shown as following nobody, and can try again [LOOP-17]', async () => {
  server.refuse(listFollowedIds, 'NotAllowed')
  open(ana)
  const again = await screen.findByRole('button', { name: /^Try again/ })
  expect(screen.queryByRole('button', { name: /^Follow/ })).toBeNull()
  server.on(listFollowedIds, [ben.id])
  fireEvent.click(again)
  expect(await screen.findByRole('button', { name: 'Following Ben Okoro' })).toBeTruthy()
})

test('a person whom a guest marked is not followed by the account that signs in on the same page; a marked sample creator is [CRE-49 LOOP-17]', async () => {
  const sample = allCreators[0]!
  for (const who of [ben, sample]) {
    open(guest, who)
    press(`Follow ${who.name}`)
    cleanup()
  }
  const Followed = () => [...useFollowed()].join(' ')
  server.on(listFollowedIds, ['another000'])
  show(<Followed />, { user: ana })
  expect(await screen.findByText(`another000 ${sample.id}`)).toBeTruthy()
})

test('nobody is offered to follow themselves [LOOP-17]', () => {
  open(ana, { id: ana.id, name: 'Ana Lima' })
  expect(screen.queryByRole('button')).toBeNull()
})
