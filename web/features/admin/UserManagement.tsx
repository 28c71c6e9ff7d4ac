import { Ban, KeyRound, RefreshCw, Trash2 } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { Link } from 'wouter'
import { displayName } from '#contract/account/display-name.ts'
import { type AdminUser, searchTextMaxLength } from '#contract/admin/endpoints.ts'
import { SuspendedUntil, useSuspend } from '#web/features/suspensions/index.ts'
import { codeOf, sentenceOf } from '#web/lib/api.ts'
import { useAppConfig } from '#web/lib/app-config.tsx'
import { useSettled } from '#web/lib/use-settled.ts'
import { useConfirm } from '#web/ui/alerts.tsx'
import { Avatar } from '#web/ui/Avatar.tsx'
import { Badge } from '#web/ui/Badge.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Card } from '#web/ui/Card.tsx'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { ListNotReady } from '#web/ui/ListNotReady.tsx'
import { Outdated } from '#web/ui/NotReady.tsx'
import { IconButton } from '#web/ui/IconButton.tsx'
import { ShowMore } from '#web/ui/ShowMore.tsx'
import { useToast } from '#web/ui/toasts.tsx'
import { failedDialog, part } from '#web/ui/part.tsx'
import { ModeratorButton } from './ModeratorButton.tsx'
import { PeopleSearch } from './PeopleSearch.tsx'
import { useAdminUsers, useDeleteUser, type UserFilter, useUserCount } from './users.ts'

/** All registered people for admins: search, suspend, delete and make moderators. */
export function UserManagement() {
  const [typed, setTyped] = useState('')
  const [isSuspended, setIsSuspended] = useState(false)
  const q = useSettled(typed.trim())
  return (
    <section aria-label="Users" className="flex flex-col gap-4">
      <PeopleSearch
        aria-label="Search users"
        placeholder="Name, username or email address"
        maxLength={searchTextMaxLength}
        typed={typed}
        onType={setTyped}
        isSuspended={isSuspended}
        onSuspended={setIsSuspended}
      />
      <Users filter={{ q, isSuspended }} />
    </section>
  )
}

function Users({ filter }: { filter: UserFilter }) {
  const { timeZone } = useAppConfig()
  // One for all cards: to make a format takes a hundred times as long as to use it.
  const dateFormat = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone })
  const users = useAdminUsers(filter)
  const count = useUserCount(filter)
  const toast = useToast()
  const summary = useRef<HTMLParagraphElement>(null)
  const list = useRef<HTMLUListElement>(null)
  const failure = users.status === 'ready' ? users.refetchError : users.error

  useEffect(() => {
    if (failure) toast({ title: 'Failed to load users', tone: 'destructive' })
  }, [failure, toast])

  const refresh = () => {
    users.refetch()
    count.refetch()
  }
  const loaded = { ...users, refetch: refresh }
  if (users.status !== 'ready')
    return <ListNotReady of={loaded} what="The users" count={6} each="h-[8.5rem]" className={gridClass} />
  const { items } = users.data
  return (
    <>
      <div className="flex min-h-9 items-center justify-between gap-3">
        <p ref={summary} tabIndex={-1} className="text-sm text-ink-soft outline-none">
          <output>{count.status === 'ready' ? totalWords(count.data.count, filter) : ''}</output>
        </p>
        <Button variant="quiet" busy={users.isFetching} onClick={refresh}>
          <RefreshCw aria-hidden className="size-4" />
          Refresh
        </Button>
      </div>
      <Outdated of={loaded} what="The list" />
      {items.length === 0 && <EmptyState drawing="lamp" text={emptyWords(filter)} />}
      <ul ref={list} aria-label="Users" className={gridClass}>
        {items.map((user) => (
          // The button that had the focus goes with its card.
          <UserCard
            key={user.id}
            user={user}
            dateFormat={dateFormat}
            onDeleted={() => summary.current?.focus()}
          />
        ))}
      </ul>
      <ShowMore of={users.data} list={list} />
    </>
  )
}

const gridClass = 'grid grid-cols-1 gap-3 empty:hidden sm:grid-cols-2 2xl:grid-cols-3'

function totalWords(count: number, { q, isSuspended }: UserFilter) {
  const users = count === 1 ? '1 user' : `${count.toLocaleString('en-US')} users`
  return q === '' && !isSuspended ? users : `${users} found`
}

function emptyWords({ q, isSuspended }: UserFilter) {
  if (q !== '') return `Nobody was found for “${q}”`
  return isSuspended ? 'Nobody is suspended' : 'Nobody is registered yet'
}

interface UserCardProps {
  user: AdminUser
  dateFormat: Intl.DateTimeFormat
  onDeleted: () => void
}

function UserCard({ user, dateFormat, onDeleted }: UserCardProps) {
  const confirm = useConfirm()
  const toast = useToast()
  const deletion = useDeleteUser()
  const [isResetting, setIsResetting] = useState(false)
  const { suspend, dialog } = useSuspend()
  const name = displayName(user)

  const forget = () => {
    deletion.forget(user.id)
    onDeleted()
  }
  const remove = async () => {
    const isSure = await confirm({
      text: 'Are you sure you want to delete this user? This action cannot be undone.',
      verb: 'Delete',
      danger: true,
    })
    if (!isSure) return
    const deleted = await deletion.attempt({ params: { id: user.id } }, (error) => {
      toast({ title: sentenceOf(error, 'Failed to delete user'), tone: 'destructive' })
      // Another admin, or the person, was faster.
      if (codeOf(error) === 'UserNotFound') forget()
    })
    if (!deleted) return
    toast({ title: 'User deleted successfully' })
    forget()
  }
  return (
    <Card as="li" className="[contain-intrinsic-size:auto_8.5rem] [content-visibility:auto]">
      <div className="flex items-start gap-3">
        <Avatar name={name} />
        <div className="min-w-0 flex-1">
          <h2 className="flex flex-wrap items-center gap-x-2 font-sans text-base">
            <span dir="auto" className="min-w-0 font-semibold wrap-anywhere">
              {name}
            </span>
            {user.isAdmin && <Badge tone="lamp">Admin</Badge>}
            {user.isModerator && <Badge tone="lamp">Moderator</Badge>}
            {user.suspension && <Badge tone="bad">Suspended</Badge>}
          </h2>
          <p className="truncate text-sm text-ink-soft">{user.username}</p>
        </div>
        {!user.isAdmin && <ModeratorButton user={user} name={name} className="-me-2 -mt-1" />}
        {!user.isAdmin && (
          <IconButton
            label={user.suspension ? `Suspension of ${name}` : `Suspend ${name}`}
            icon={Ban}
            onClick={() => suspend({ id: user.id, name })}
            className="-me-2 -mt-1"
          />
        )}
        {!user.isAdmin && (
          <IconButton
            label={`Reset the passcode of ${name}`}
            icon={KeyRound}
            onClick={() => setIsResetting(true)}
            className="-me-2 -mt-1"
          />
        )}
        {!user.isAdmin && (
          <IconButton
            label={`Delete ${name}`}
            icon={Trash2}
            busy={deletion.status === 'running'}
            onClick={() => void remove()}
            className="-me-2 -mt-1 enabled:hover:text-bad"
          />
        )}
      </div>
      <div className="mt-2 flex flex-wrap items-center gap-x-2 text-sm text-ink-soft">
        <p className="w-full wrap-anywhere">{user.email}</p>
        {user.suspension && (
          <p className="w-full text-bad">
            Suspended <SuspendedUntil until={user.suspension.until} />
            {user.suspension.hidesTexts && ' · Texts are hidden'}
          </p>
        )}
        <p>
          Joined <time dateTime={user.createdAt}>{dateFormat.format(new Date(user.createdAt))}</time>
          {user.postCount > 0 && ` · ${user.postCount === 1 ? '1 post' : `${user.postCount} posts`}`}
        </p>
        <Link
          href={`/admin?part=log&about=${user.id}`}
          className="touch ms-auto inline-flex items-center text-lamp underline underline-offset-4"
        >
          Audit log<span className="sr-only"> of {name}</span>
        </Link>
      </div>
      {dialog}
      {isResetting && <ResetLinkDialog userId={user.id} name={name} onClose={() => setIsResetting(false)} />}
    </Card>
  )
}

const ResetLinkDialog = part(
  async () => (await import('./ResetLinkDialog.tsx')).ResetLinkDialog,
  failedDialog,
)
