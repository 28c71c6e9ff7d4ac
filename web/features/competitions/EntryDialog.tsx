import { useId, useState, type FormEvent } from 'react'
import { CompetitionEntry, isOverWordLimit, type Competition } from '#contract/competitions/competition.ts'
import { countWords, isBlank } from '#contract/text.ts'
import { useSession } from '#web/features/account/index.ts'
import { guestId } from '#web/lib/session-storage.ts'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { TextArea } from '#web/ui/TextArea.tsx'
import { TextField } from '#web/ui/TextField.tsx'
import { useToast } from '#web/ui/toasts.tsx'
import { keepDraft, readDraft, type Draft } from './entry-draft.ts'

interface EntryDialogProps {
  competition: Competition
  onClose: () => void
}

/** Prepares an entry; it is handed in at the portal, and nothing of it is sent to our server. */
export function EntryDialog({ competition, onClose }: EntryDialogProps) {
  const { user } = useSession()
  const draftKey = `competition-entry:${user?.id ?? guestId()}:${competition.id}`
  const [entry, setEntry] = useState(() => readDraft(draftKey))
  const [emailError, setEmailError] = useState<string | null>(null)
  const toast = useToast()
  const formId = useId()
  const isTooLong = isOverWordLimit(entry.content)

  const change = (changed: Partial<Draft>) => {
    const next = { ...entry, ...changed }
    setEntry(next)
    keepDraft(draftKey, next)
    if (changed.email !== undefined) setEmailError(null)
  }
  const goOn = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const fields = event.currentTarget.elements
    const missing = required.find((field) => isBlank(entry[field]))
    if (missing) {
      toast({
        title: 'Missing Information',
        description: 'Please fill in all required fields.',
        tone: 'destructive',
      })
      return focusOn(fields.namedItem(missing))
    }
    const checked = CompetitionEntry.safeParse(entry)
    if (!checked.success) {
      setEmailError(checked.error.issues[0]?.message ?? null)
      return focusOn(fields.namedItem('email'))
    }
    window.open(competition.submissionLink, '_blank', 'noopener,noreferrer')
  }
  return (
    <Dialog
      title={competition.title}
      description="What you write here stays in this browser. You hand it in at the submission portal, which opens in a new tab."
      startsInField
      open
      onOpenChange={(open) => !open && onClose()}
      footer={
        <Button type="submit" form={formId} disabled={isTooLong}>
          Continue to the portal
        </Button>
      }
    >
      <form id={formId} noValidate onSubmit={goOn} className="flex flex-col gap-4">
        <TextField
          label="Title"
          name="title"
          required
          value={entry.title}
          onChange={(event) => change({ title: event.target.value })}
        />
        <TextArea
          label="Content"
          name="content"
          required
          rows={8}
          value={entry.content}
          onChange={(event) => change({ content: event.target.value })}
          hint={`${countWords(entry.content)} of ${competition.wordLimit} words`}
          error={isTooLong ? 'Exceeds word limit' : null}
        />
        <TextField
          label="Author name"
          name="authorName"
          required
          autoComplete="name"
          value={entry.authorName}
          onChange={(event) => change({ authorName: event.target.value })}
        />
        <TextField
          label="Email"
          name="email"
          type="email"
          required
          autoComplete="email"
          value={entry.email}
          error={emailError}
          onChange={(event) => change({ email: event.target.value })}
        />
        <TextArea
          label="Bio (optional)"
          name="bio"
          rows={2}
          value={entry.bio}
          onChange={(event) => change({ bio: event.target.value })}
        />
      </form>
    </Dialog>
  )
}

const required = ['title', 'content', 'authorName', 'email'] as const

function focusOn(field: Element | RadioNodeList | null) {
  if (field instanceof HTMLElement) field.focus()
}
