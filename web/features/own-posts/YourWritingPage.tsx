import { useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { Link, useLocation, useSearch } from 'wouter'
import type { ListedDraft } from '#contract/drafts/draft.ts'
import { createDraft, deleteDraft, getDraft, listDrafts } from '#contract/drafts/endpoints.ts'
import { listOwnPosts } from '#contract/feed/review/endpoints.ts'
import { inboxTopics } from '#contract/inbox/live.ts'
import { useSession } from '#web/features/account/index.ts'
import { Documents } from '#web/features/documents/index.ts'
import { changePath, draftPath } from '#web/features/posts/index.ts'
import { answersOf, queryKeyOf, useAction } from '#web/lib/api.ts'
import { useLive } from '#web/lib/live/use-live.ts'
import { usePageTitle } from '#web/lib/page-title.ts'
import { removeFromPages, usePages } from '#web/lib/pages.ts'
import { readAgain } from '#web/lib/read-again.ts'
import { send } from '#web/lib/request.ts'
import { OwnTime } from '#web/lib/Time.tsx'
import { Button, buttonClass } from '#web/ui/Button.tsx'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { ListNotReady } from '#web/ui/ListNotReady.tsx'
import { Outdated } from '#web/ui/NotReady.tsx'
import { ShowMore } from '#web/ui/ShowMore.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { Tabs } from '#web/ui/Tabs.tsx'
import { useToast } from '#web/ui/toasts.tsx'
import { useFocusBeside } from '#web/ui/use-focus-beside.ts'
import { firstLineOf } from './first-line.ts'
import { OwnPosts, Words } from './OwnPosts.tsx'
import { ScheduledPosts } from './ScheduledPosts.tsx'
import { TakenBackPosts } from './TakenBackPosts.tsx'

const lists = [
  { value: 'drafts', label: 'Drafts' },
  { value: 'scheduled', label: 'Scheduled' },
  { value: 'review', label: 'In review' },
  { value: 'published', label: 'Published' },
  { value: 'taken', label: 'Taken back' },
  { value: 'documents', label: 'Documents' },
] as const
type ListName = (typeof lists)[number]['value']

/** All that a person has written for the feed, by what has become of it. The address names the list. */
export function YourWritingPage() {
  usePageTitle('Your writing')
  const { state, user } = useSession()
  const [, navigate] = useLocation()
  const asked = new URLSearchParams(useSearch()).get('list')
  const shown = lists.find(({ value }) => value === asked)?.value ?? 'drafts'
  return (
    <section aria-labelledby="page-name" className="flex flex-col gap-4 sm:gap-6">
      <header className="flex flex-wrap items-center justify-between gap-4">
        <h1 id="page-name" className="text-2xl">
          Your writing
        </h1>
        <Link href="/write" className={buttonClass()}>
          Write
        </Link>
      </header>
      {state === 'registered' && <DecisionsOfAdmins personId={user.id} />}
      {state === 'unknown' ? (
        <Skeleton className="h-64 w-full" />
      ) : (
        <div className="w-full max-w-3xl">
          <Tabs
            label="Your writing"
            tabs={lists}
            value={shown}
            onChange={(value) =>
              navigate(value === 'drafts' ? '/writing' : `/writing?list=${value}`, { replace: true })
            }
          >
            <List name={shown} state={state} />
          </Tabs>
        </div>
      )}
    </section>
  )
}

/** Reads the own posts again when an admin has decided about some. */
function DecisionsOfAdmins({ personId }: { personId: string }) {
  const client = useQueryClient()
  useLive({
    kind: inboxTopics,
    ids: [personId],
    personId,
    onEvent: ({ type }) => {
      if (decisions.includes(type)) void readAgain(client, answersOf([listOwnPosts]))
    },
  })
  return null
}

const decisions: readonly string[] = ['post.approved', 'post.hidden', 'post.shown']

function List({ name, state }: { name: ListName; state: 'none' | 'guest' | 'registered' }) {
  if (state === 'none' || (state === 'guest' && name !== 'review' && name !== 'published'))
    return (
      <EmptyState
        text="Without an account your draft is kept on this device only."
        action={
          <Link href="/write" className={buttonClass('quiet')}>
            Continue writing
          </Link>
        }
      />
    )
  if (name === 'drafts') return <Drafts />
  if (name === 'scheduled') return <ScheduledPosts />
  if (name === 'taken') return <TakenBackPosts />
  if (name === 'documents') return <Documents />
  return <OwnPosts key={name} list={name} />
}

function Drafts() {
  const drafts = usePages(listDrafts, { limit: '50' })
  const list = useRef<HTMLUListElement>(null)
  const remove = useRemoval()
  if (drafts.status !== 'ready') return <ListNotReady of={drafts} what="Your drafts" count={3} each="h-16" />
  const { items } = drafts.data
  if (items.length === 0)
    return (
      <EmptyState
        text="You have no drafts."
        action={
          <Link href="/write" className={buttonClass('quiet')}>
            Begin a text
          </Link>
        }
      />
    )
  return (
    <div className="flex flex-col gap-4">
      <Outdated of={drafts} what="Your drafts" />
      <ul ref={list} aria-label="Drafts" className="flex flex-col divide-y divide-line">
        {items.map((draft) => (
          <DraftRow key={draft.id} draft={draft} onRemove={() => void remove(draft.id)} />
        ))}
      </ul>
      <ShowMore of={drafts.data} list={list} />
    </div>
  )
}

function DraftRow({ draft, onRemove }: { draft: ListedDraft; onRemove: () => void }) {
  const { id, beginning, wordCount, updatedAt, postId } = draft
  const line = firstLineOf(beginning) || 'Without words'
  const row = useFocusBeside<HTMLLIElement>()
  return (
    <li ref={row} className="flex items-start gap-3 py-3">
      <div className="min-w-0 flex-1">
        <Link
          href={postId === null ? draftPath(id) : changePath(postId)}
          dir="auto"
          className="touch block font-serif text-lg wrap-anywhere hover:underline"
        >
          {line}
        </Link>
        <p className="text-xs text-ink-soft">
          <Words count={wordCount} />, changed <OwnTime at={updatedAt} />
          {postId !== null && ', changes a post'}
        </p>
      </div>
      <Button variant="quiet" aria-label={`Delete the draft ${line}`} onClick={onRemove}>
        Delete
      </Button>
    </li>
  )
}

/** Deletes a draft at once. The toast brings it back with all its choices. */
function useRemoval() {
  const client = useQueryClient()
  const toast = useToast()
  const { run: removeDraft } = useAction(deleteDraft)
  const { run: create } = useAction(createDraft, { refreshes: [listDrafts] })
  const failed = (what: string) => toast({ title: 'Error', description: what, tone: 'destructive' })
  return async (id: string) => {
    const params = { id }
    try {
      const draft = await send(getDraft, { params })
      await removeDraft({ params })
      removeFromPages(client, listDrafts, id)
      client.removeQueries({ queryKey: queryKeyOf(getDraft, { params }) })
      const { createdAt: _, updatedAt: __, ...fields } = draft
      const undo = () =>
        create({ input: fields }).catch(() =>
          failed('The draft could not be brought back. Please try again.'),
        )
      toast({ title: 'Draft deleted', action: { label: 'Undo', onPress: () => void undo() } })
    } catch {
      failed('The draft could not be deleted. Please try again.')
    }
  }
}
