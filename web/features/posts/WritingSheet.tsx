import { type FormEvent, useEffect, useRef, useState } from 'react'
import { Link, Redirect, useLocation } from 'wouter'
import type { User } from '#contract/account/user.ts'
import { isBlank } from '#contract/text.ts'
import { useSignInAgain } from '#web/features/account/index.ts'
import { useSubmitOnCtrlS } from '#web/lib/send-shortcuts.ts'
import { Button, buttonClass } from '#web/ui/Button.tsx'
import { cx } from '#web/ui/cx.ts'
import { isPhone, keepFocus, keepFocusOnPhone } from '#web/ui/keep-focus.ts'
import { QuietLine } from '#web/ui/QuietLine.tsx'
import { failedDialog, part } from '#web/ui/part.tsx'
import { TwoTexts } from '#web/ui/TwoTexts.tsx'
import { currentDraft } from './draft-choices.ts'
import { GoneDraft } from './GoneDraft.tsx'
import { changePath } from './paths.ts'
import { Counts, SheetFields, useSheet } from './SheetFields.tsx'
import { draftStatus } from './draft-status.ts'
import { type DraftIdentity, useDraft, type WrittenDraft } from './use-draft.ts'
import { useSubmission } from './use-submission.ts'

/** The sheet of the pages to write on. The caller sets a key of the draft. */
export function WritingSheet({ identity, user }: { identity: DraftIdentity; user: User | null }) {
  const draft = useDraft(identity)
  const submission = useSubmission(draft, user)
  const sheet = useSheet(draft)
  const [isPublishing, setIsPublishing] = useState(false)
  const [, navigate] = useLocation()
  const form = useRef<HTMLFormElement>(null)
  const { editor, id, owner, original } = draft
  const signInAgain = useSignInAgain(editor, () => void editor.save())
  const { sentence } = submission.refusal
  const error = submission.errors.body

  useSubmitOnCtrlS(form)
  // The first keys of a person are text, and no shortcuts. On a phone the focus would hide the header of the page.
  useEffect(() => {
    if (original !== undefined || isPhone() || document.activeElement?.matches('input, textarea')) return
    form.current?.querySelector('textarea')?.focus({ preventScroll: true })
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [])
  useEffect(() => {
    if (id !== null && original === undefined && !isBlank(editor.text)) currentDraft(owner).write({ id })
  }, [id, owner, original, editor.text])

  const save = (event: FormEvent) => {
    event.preventDefault()
    if (id !== null && editor.state !== 'loading' && !isBlank(editor.text)) void editor.save()
  }
  const publish = async () => {
    const post = await submission.submit()
    if (post === undefined) return
    const list = post.status === 'scheduled' ? 'scheduled' : 'review'
    const isPublished = post.status === 'published'
    navigate(isPublished ? `/posts/${post.id}` : `/writing?list=${list}`, { replace: true })
  }
  const openAsDialog = async () => {
    await editor.draftWritten()
    navigate('/dashboard', { state: performance.timeOrigin })
  }
  if (original === undefined && draft.postId !== null)
    return <Redirect to={changePath(draft.postId)} replace />
  return (
    <section aria-labelledby="page-name" className="sheet-column flex flex-col gap-4 sm:gap-6">
      <header className="phone-writing:hidden flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <h1 id="page-name" className="text-2xl">
          {original === undefined ? 'Write' : 'Change a post'}
        </h1>
        <div className="flex flex-wrap gap-2 font-sans text-base">
          {user !== null && (
            <Link href="/writing" className={buttonClass('quiet')}>
              Your writing
            </Link>
          )}
          {original === undefined && (
            <Button variant="quiet" onClick={() => void openAsDialog()}>
              Back to the feed
            </Button>
          )}
        </div>
      </header>
      {draft.isFailed && (
        <QuietLine
          text="What is saved of this draft could not be read."
          onMouseDown={keepFocusOnPhone}
          onTryAgain={draft.refetch}
        />
      )}
      <GoneDraft draft={draft} onDiscarded={() => navigate('/writing', { replace: true })} />
      {editor.hasDraftInOtherTab && (
        <p className="text-sm text-ink-soft">
          This draft is also being written in another tab of this browser.
        </p>
      )}
      <form ref={form} className="sheet" data-sheet="open" onSubmit={save}>
        <div className="flex flex-col">
          <SheetFields
            sheet={sheet}
            error={error}
            titleClass="px-5 pt-5 sm:px-9 sm:pt-8"
            textClass="min-h-[55dvh] max-w-none px-5 pb-5 sm:px-9"
          />
        </div>
        <div
          data-foot
          className="sticky bottom-(--foot) flex min-h-15 items-center gap-4 huge:flex-wrap rounded-b-lg border-t border-line bg-surface px-5 py-2 font-sans text-sm text-ink-soft transition-[bottom] duration-200 ease-out sm:px-9"
        >
          <div className="flex min-w-0 flex-1 flex-wrap gap-x-4 huge:basis-full">
            <Counts text={editor.text} />
            <SavedState draft={draft} />
            {signInAgain.button}
          </div>
          <Button
            disabled={isBlank(editor.text) || sheet.hasLongTitle}
            onMouseDown={keepFocus}
            onClick={() => setIsPublishing(true)}
          >
            {original === undefined ? 'Publish…' : 'Save changes…'}
          </Button>
        </div>
      </form>
      <TwoTexts editor={editor} onKeptThis={() => void editor.save()} />
      {signInAgain.dialog}
      {isPublishing && (
        <PublishDialog
          draft={draft}
          submission={submission}
          user={user}
          onClose={() => setIsPublishing(false)}
          onSubmit={() => void publish()}
        />
      )}
      {!isPublishing && sentence !== null && (
        <p role="alert" className="text-sm font-medium text-bad">
          {sentence}
        </p>
      )}
    </section>
  )
}

/** Where the text is. Only a failure is announced: a draft is saved every few seconds. */
function SavedState({ draft }: { draft: WrittenDraft }) {
  const { state, isSentLater } = draft.editor
  const isBad = !draft.isGone && !isSentLater && (state === 'failed' || state === 'draftFailed')
  return (
    <p role={isBad ? 'alert' : undefined} className={cx(isBad && 'text-bad')}>
      {draftStatus(draft) || (draft.id === null && 'Kept on this device until it is sent.')}
    </p>
  )
}

const PublishDialog = part(async () => (await import('./PublishDialog.tsx')).PublishDialog, failedDialog)
