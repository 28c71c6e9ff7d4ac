import { Maximize2 } from 'lucide-react'
import { type FormEvent, useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import type { User } from '#contract/account/user.ts'
import { isBlank } from '#contract/text.ts'
import { SignInNotice, useAreKeysAwaited, useSession } from '#web/features/account/index.ts'
import { useAppConfig } from '#web/lib/app-config.tsx'
import { submitOnCtrlEnter } from '#web/lib/send-shortcuts.ts'
import { guestId } from '#web/lib/session-keys.ts'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { TwoTexts } from '#web/ui/TwoTexts.tsx'
import { currentDraft, newDraftId } from './draft-choices.ts'
import { draftStatus } from './draft-status.ts'
import { GoneDraft } from './GoneDraft.tsx'
import { draftPath } from './paths.ts'
import { AuthorField, PublishingOption } from './PublishFields.tsx'
import { SheetFields, useSheet } from './SheetFields.tsx'
import { type DraftIdentity, useDraft } from './use-draft.ts'
import { submissionsOff } from './submissions-off.ts'
import { useSubmission } from './use-submission.ts'

export function CreatePostDialog({ onClose }: { onClose: () => void }) {
  const { state, user } = useSession()
  const areKeysAwaited = useAreKeysAwaited()
  const { access } = useAppConfig()
  return (
    <Dialog
      onClose={onClose}
      title={<span className="font-sans text-sm font-medium text-ink-soft">Create Post</span>}
      size="large"
      startsInField
    >
      {/* The owner and the draft have to be known before the first letter is stored. */}
      {state === 'unknown' || areKeysAwaited ? (
        <Skeleton className="h-96" />
      ) : state !== 'registered' && access?.submissions === false ? (
        <SignInNotice text={submissionsOff} />
      ) : (
        <PostForm user={user} onClose={onClose} />
      )}
    </Dialog>
  )
}

/** The draft that the dialog opens: that of the browser, or for a registered person the last one begun here. */
function identityOf(user: User | null): DraftIdentity {
  if (user === null || user.isAnonymous) return { owner: user?.id ?? guestId(), id: null, isNew: false }
  const { id } = currentDraft(user.id).read()
  return { owner: user.id, id: id ?? newDraftId(), isNew: id === null }
}

/** A sheet to write a post on, with the choices that a post needs. */
function PostForm({ user, onClose }: { user: User | null; onClose: () => void }) {
  const [identity] = useState(() => identityOf(user))
  const draft = useDraft(identity)
  const submission = useSubmission(draft, user)
  const { editor } = draft
  const sheet = useSheet(draft)
  const [, navigate] = useLocation()
  const cannotSubmit = submission.cannotSubmit || sheet.hasLongTitle

  const { owner, id } = identity
  const isBegun = id !== null && !isBlank(editor.text)
  useEffect(() => {
    if (isBegun) currentDraft(owner).write({ id })
  }, [isBegun, owner, id])

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (!cannotSubmit && (await submission.submit()) !== undefined) onClose()
  }
  const openAsPage = async () => {
    await editor.draftWritten()
    // The page must not ask the server for a draft that it does not have yet.
    if (id === null) navigate('/write')
    else navigate(draftPath(id), { state: isBegun ? null : performance.timeOrigin })
  }
  return (
    <form
      className="-mb-5 flex min-h-[calc(100%+1.25rem)] flex-col"
      onSubmit={(event) => void submit(event)}
      onKeyDown={submitOnCtrlEnter}
    >
      <div className="reading-column flex flex-1 flex-col gap-2">
        <GoneDraft draft={draft} onDiscarded={onClose} />
        <SheetFields sheet={sheet} error={submission.errors.body} textClass="min-h-[8lh]" />
        <div className="mt-4 flex flex-col gap-4 font-sans text-base">
          <AuthorField draft={draft} submission={submission} />
          <PublishingOption draft={draft} user={user} />
          <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
            <p className="text-sm text-ink-soft">
              {submission.maySchedule ? 'Form, category, tags and the time' : 'Form, category and tags'} are
              chosen on the page.
            </p>
            <Button variant="quiet" onClick={() => void openAsPage()}>
              <Maximize2 aria-hidden className="size-4" />
              Open as a page
            </Button>
          </div>
        </div>
      </div>
      <TwoTexts editor={editor} />
      <p role="alert" className="reading-column mt-4 text-sm font-medium text-bad empty:hidden">
        {submission.refusal.sentence}
      </p>
      <div
        data-foot
        className="sticky -bottom-5 -mx-5 mt-5 flex items-center justify-end gap-3 border-t border-line bg-surface px-5 py-3 sm:-mx-6 sm:px-6"
      >
        <output className="me-auto text-xs text-ink-soft">
          {draftStatus(draft) ||
            (id === null ? 'Kept on this device until it is sent.' : 'Saved to your account as you write.')}
        </output>
        <Button variant="quiet" className="max-sm:hidden" onClick={onClose}>
          Close
        </Button>
        <Button type="submit" disabled={cannotSubmit} busy={submission.isRunning}>
          Submit
        </Button>
      </div>
    </form>
  )
}
