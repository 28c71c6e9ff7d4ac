import type { FormEvent } from 'react'
import type { User } from '#contract/account/user.ts'
import type { EditablePost } from '#contract/feed/own/endpoints.ts'
import { foundCategoryOf } from '#contract/feed/categories.ts'
import { submitOnCtrlEnter } from '#web/lib/send-shortcuts.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { Badge } from '#web/ui/Badge.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Card } from '#web/ui/Card.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { WrittenText } from '#web/ui/WrittenText.tsx'
import { AuthorField, KindFields, PublishingOption } from './PublishFields.tsx'
import { PublishTimeFields } from './PublishTime.tsx'
import type { WrittenDraft } from './use-draft.ts'
import type { Submission } from './use-submission.ts'

interface PublishDialogProps {
  draft: WrittenDraft
  submission: Submission
  user: User | null
  onClose: () => void
  onSubmit: () => void
}

/** The step after writing: the choices of a post beside the card that readers will see. */
export function PublishDialog({ draft, submission, user, onClose, onSubmit }: PublishDialogProps) {
  const { original } = draft
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!submission.cannotSubmit) onSubmit()
  }
  return (
    <Dialog title={original === undefined ? 'Publish' : 'Change this post'} size="large" onClose={onClose}>
      <form
        className="-mb-5 flex min-h-[calc(100%+1.25rem)] flex-col"
        onSubmit={submit}
        onKeyDown={submitOnCtrlEnter}
      >
        <div className="grid flex-1 gap-8 sm:grid-cols-2">
          <div className="flex flex-col gap-5">
            {original === undefined && <AuthorField draft={draft} submission={submission} />}
            <KindFields draft={draft} submission={submission} />
            {original === undefined ? (
              <>
                <PublishingOption draft={draft} user={user} />
                {submission.maySchedule && (
                  <PublishTimeFields time={submission.time} refusal={submission.errors.publishAt} />
                )}
              </>
            ) : (
              <p className="text-sm text-ink-soft">{consequenceOf(original)}</p>
            )}
          </div>
          <section aria-labelledby="as-shown" className="flex min-w-0 flex-col gap-2">
            <h2 id="as-shown" className="font-sans text-sm font-medium">
              How readers will see it
            </h2>
            <CardPreview draft={draft} authorName={submission.authorName} />
          </section>
        </div>
        <p role="alert" className="mt-4 text-sm font-medium text-bad empty:hidden">
          {submission.errors.body ?? submission.refusal.sentence}
        </p>
        <div
          data-foot
          className="sticky -bottom-5 -mx-5 mt-5 flex items-center justify-end gap-3 border-t border-line bg-surface px-5 py-3 sm:-mx-6 sm:px-6"
        >
          <Button variant="quiet" onClick={onClose}>
            Keep writing
          </Button>
          <Button type="submit" disabled={submission.cannotSubmit} busy={submission.isRunning}>
            {original !== undefined ? 'Save changes' : submission.isScheduled ? 'Schedule' : 'Submit'}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

/** What becomes of a change, which depends on the type and the state of the post. */
function consequenceOf({ status, postType }: EditablePost): string {
  if (status === 'pending') return 'The new text waits for review in the place of the old one.'
  return postType === 'standard'
    ? 'The new text is reviewed within a week. Readers see the old text until then.'
    : 'Readers see the new text at once, and that it was edited.'
}

function CardPreview({
  draft: { editor, choices },
  authorName,
}: {
  draft: WrittenDraft
  authorName: string
}) {
  const category = choices.category ?? foundCategoryOf(editor.text)
  return (
    <Card className="flex min-w-0 flex-col gap-4 p-5">
      <div className="flex items-center gap-3">
        <Avatar name={authorName} />
        <p className="min-w-0 flex-1 font-medium wrap-anywhere">{authorName || 'Your author name'}</p>
        {category && <Badge>{category}</Badge>}
      </div>
      <div className="reading max-h-96 overflow-hidden whitespace-pre-wrap">
        <WrittenText text={editor.text} titleAs="h3" form={choices.form} />
      </div>
      {choices.tags.length > 0 && (
        <ul aria-label="Tags" className="flex flex-wrap gap-2 text-sm text-ink-soft">
          {choices.tags.map((tag) => (
            <li key={tag}>#{tag}</li>
          ))}
        </ul>
      )}
    </Card>
  )
}
