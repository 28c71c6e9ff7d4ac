import { Ban, Ellipsis, Flag, MessageCircle, Pencil, UserPlus, UserX } from 'lucide-react'
import { useState } from 'react'
import { Link, useLocation } from 'wouter'
import type { Friend } from '#contract/friends/friend.ts'
import type { PersonPage } from '#contract/people/endpoints.ts'
import { useReport } from '#web/features/abuse-reports/index.ts'
import { useSession } from '#web/features/account/index.ts'
import { useAddFriend, useBlock, useFriends } from '#web/features/friends/index.ts'
import { useSuspend } from '#web/features/suspensions/index.ts'
import { FollowButton } from '#web/features/follows/index.ts'
import { conversationPath } from '#contract/messages/paths.ts'
import { sentenceOf } from '#web/lib/api.ts'
import { Button, buttonClass } from '#web/ui/Button.tsx'
import { IconButton } from '#web/ui/IconButton.tsx'
import { Menu } from '#web/ui/Menu.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'

/** What a signed-in person can do on a page: edit the own one, or meet the writer of another one. */
export function PersonActions({ person }: { person: PersonPage }) {
  const { state, user } = useSession()
  if (state !== 'registered') return null
  if (user.id !== person.id) return <Meet person={person} />
  return (
    <Link href="/settings#your-page" className={buttonClass('quiet')}>
      <Pencil aria-hidden className="size-4" />
      Edit your page
    </Link>
  )
}

function Meet({ person }: { person: PersonPage }) {
  const friends = useFriends()
  const adding = useAddFriend()
  const [isAdded, setIsAdded] = useState(false)
  // The answer counts where the list of friends could not be loaded.
  const isFriend = friends.data?.some(({ id }) => id === person.id) ?? isAdded

  const add = async () => {
    if (await adding.attempt({ input: { friendUserId: person.id } })) setIsAdded(true)
  }
  return (
    <div className="flex flex-col items-end gap-1">
      <div className="flex items-center gap-2">
        <FollowButton id={person.id} name={person.name} />
        {isFriend ? (
          <Link
            // The button that had the focus is gone.
            ref={isAdded ? focus : undefined}
            href={conversationPath(person.id)}
            className={buttonClass('quiet')}
          >
            <MessageCircle aria-hidden className="size-4" />
            Message
          </Link>
        ) : friends.status === 'loading' ? (
          <Skeleton className="h-9 w-32" />
        ) : (
          <Button variant="quiet" busy={adding.status === 'running'} onClick={() => void add()}>
            <UserPlus aria-hidden className="size-4" />
            Add Friend
          </Button>
        )}
        <PersonMenu person={person} />
      </div>
      <p role="alert" className="text-sm font-medium text-bad empty:hidden">
        {adding.error &&
          sentenceOf(adding.error, `${person.name} could not be added. Check the connection and try again.`)}
      </p>
    </div>
  )
}

/** The rarer actions. */
function PersonMenu({ person }: { person: PersonPage }) {
  const block = useBlock()
  const { user } = useSession()
  const mayModerate = user?.isAdmin || user?.isModerator
  const { report, dialog } = useReport()
  const suspending = useSuspend()
  const [, navigate] = useLocation()
  const blockPerson = async () => {
    // Neither of the two sees the page of the other any more.
    if (await block(asFriend(person))) navigate('/users')
  }
  return (
    <>
      <Menu
        trigger={<IconButton label={`More about ${person.name}`} icon={Ellipsis} />}
        items={[
          { label: 'Report', icon: Flag, onSelect: () => report({ kind: 'person', id: person.id }) },
          { label: 'Block', icon: UserX, danger: true, onSelect: () => void blockPerson() },
          ...(mayModerate
            ? [{ label: 'Suspend', icon: Ban, onSelect: () => suspending.suspend(person) }]
            : []),
        ]}
      />
      {dialog}
      {suspending.dialog}
    </>
  )
}

const asFriend = ({ id, name }: PersonPage): Friend => ({
  id,
  username: '',
  firstName: name,
  lastName: null,
  email: null,
})

const focus = (element: HTMLElement | null) => element?.focus()
