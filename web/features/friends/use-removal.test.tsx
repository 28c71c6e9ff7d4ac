import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { listFriends, removeFriend } from '#contract/friends/endpoints.ts'
import { listInvitations } from '#contract/invitations/endpoints.ts'
import { done } from '#contract/schemas.ts'
import { press, show, startTestPage } from '#web/testing/page.tsx'
import { ana } from '#web/testing/people.ts'
import { FriendList, useRemoval } from './index.ts'
import { ben, listed } from './testing.tsx'

const server = startTestPage()

function Conversation({ onAnswer }: { onAnswer: (isRemoved: boolean) => void }) {
  const remove = useRemoval()
  return (
    <>
      <button type="button" onClick={() => void remove(ben).then(onAnswer)}>
        Remove Friend
      </button>
      <FriendList selectedId={null} onSelect={() => {}} />
    </>
  )
}

async function removeBen(answer: 'Remove' | 'Cancel', left = [listed(ben)]) {
  const onAnswer = vi.fn<(isRemoved: boolean) => void>()
  server.on(listFriends, [listed(ben)])
  server.on(listInvitations, [])
  show(<Conversation onAnswer={onAnswer} />, { user: ana })
  await screen.findByText('Ben Ode')
  server.on(listFriends, left)
  press('Remove Friend')
  const question = within(await screen.findByRole('alertdialog'))
  const text = question.getByRole('heading').textContent
  fireEvent.click(question.getByRole('button', { name: answer }))
  await waitFor(() => expect(onAnswer).toHaveBeenCalledOnce())
  return { isRemoved: onAnswer.mock.calls[0]![0], text }
}

test('a person reads what is deleted, removes a friend, and no longer sees that friend', async () => {
  server.on(removeFriend, () => {
    server.on(listFriends, [])
    return done
  })
  const { isRemoved, text } = await removeBen('Remove')
  expect(text).toBe(
    'Remove Ben Ode from your friends? Your conversation is deleted for both of you, with all messages and shared ' +
      'diary entries, and cannot be restored. Ben Ode can add you again, unless you block Ben Ode.',
  )
  expect(isRemoved).toBe(true)
  expect(server.calls(removeFriend).map(({ params }) => params)).toEqual([{ userId: ben.id }])
  expect(await screen.findByText('No friends yet')).toBeTruthy()
  expect(screen.getByText('Ben Ode is no longer among your friends.')).toBeTruthy()
})

test('a person who cancels removes nobody', async () => {
  const { isRemoved } = await removeBen('Cancel')
  expect(isRemoved).toBe(false)
  expect(server.changes).toEqual([])
})

test('a friend who has removed the person meanwhile disappears from the list', async () => {
  server.refuse(removeFriend, 'FriendNotFound')
  const { isRemoved } = await removeBen('Remove', [])
  expect(isRemoved).toBe(true)
  expect(await screen.findByText('No friends yet')).toBeTruthy()
})

test('after a failure the friend stays, and the person is told', async () => {
  server.refuse(removeFriend, 'TooManyRequests')
  const { isRemoved } = await removeBen('Remove')
  expect(isRemoved).toBe(false)
  expect(screen.getByText('Ben Ode')).toBeTruthy()
  expect(screen.getByText('Ben Ode could not be removed. Please try again.')).toBeTruthy()
})
