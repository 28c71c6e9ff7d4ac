import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { blockPerson, listFriends } from '#contract/friends/endpoints.ts'
import { listInvitations } from '#contract/invitations/endpoints.ts'
import { done } from '#contract/schemas.ts'
import { press, show, startTestPage } from '#web/testing/page.tsx'
import { ana } from '#web/testing/people.ts'
import { FriendList, useBlock } from './index.ts'
import { ben, listed } from './testing.tsx'

const server = startTestPage()

function Conversation({ onAnswer }: { onAnswer: (isBlocked: boolean) => void }) {
  const block = useBlock()
  return (
    <>
      <button type="button" onClick={() => void block(ben).then(onAnswer)}>
        Block
      </button>
      <FriendList selectedId={null} onSelect={() => {}} />
    </>
  )
}

async function openConversation() {
  const onAnswer = vi.fn<(isBlocked: boolean) => void>()
  server.on(listFriends, [listed(ben)])
  server.on(listInvitations, [])
  show(<Conversation onAnswer={onAnswer} />, { user: ana })
  await screen.findByText('Ben Ode')
  return { onAnswer }
}
const question = async () => within(await screen.findByRole('alertdialog'))
async function answer(name: string) {
  press('Block')
  fireEvent.click((await question()).getByRole('button', { name }))
}

test('a person reads what a block does, blocks a friend, and no longer sees that friend [PPL-04]', async () => {
  server.on(blockPerson, () => {
    server.on(listFriends, [])
    return done
  })
  const { onAnswer } = await openConversation()
  press('Block')
  expect((await question()).getByRole('heading').textContent).toBe(
    'Block Ben Ode? Neither of you can find the other, write to the other or invite the other to a Z!mmer. ' +
      'Your conversation is hidden until you unblock Ben Ode in Settings. Ben Ode is not told.',
  )
  fireEvent.click((await question()).getByRole('button', { name: 'Block' }))
  await waitFor(() => expect(onAnswer).toHaveBeenCalledExactlyOnceWith(true))
  expect(server.inputs(blockPerson)).toEqual([{ userId: ben.id }])
  expect(await screen.findByText('No friends yet')).toBeTruthy()
  expect(screen.getByText('Ben Ode is blocked.')).toBeTruthy()
})

test('a person who cancels blocks nobody [PPL-04]', async () => {
  const { onAnswer } = await openConversation()
  await answer('Cancel')
  await waitFor(() => expect(onAnswer).toHaveBeenCalledExactlyOnceWith(false))
  expect(server.changes).toEqual([])
})

test.each([
  ['CannotBeBlocked', 'Ben Ode could not be blocked. Please try again.'],
  ['TooManyBlocks', 'You have already blocked 1,000 people.'],
] as const)(
  'a person whose block is refused with %s reads so, and the friend stays [PPL-04]',
  async (code, sentence) => {
    server.refuse(blockPerson, code)
    const { onAnswer } = await openConversation()
    await answer('Block')
    expect(await screen.findByText(sentence)).toBeTruthy()
    expect(onAnswer).toHaveBeenCalledExactlyOnceWith(false)
    expect(screen.getByText('Ben Ode')).toBeTruthy()
  },
)
