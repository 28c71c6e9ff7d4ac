import { useId, useState, type FormEvent } from 'react'
import { CompetitionEntry, isOverWordLimit, type Competition } from './competition.ts'
import { countWords, isBlank } from '#contract/text.ts'
import { useSession } from '#web/features/account/index.ts'
import { submitOnCtrlEnter } from '#web/lib/send-shortcuts.ts'
import { guestId } from '#web/lib/session-keys.ts'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { TextArea } from '#web/ui/TextArea.tsx'
import { TextField } from '#web/ui/TextField.tsx'
import { useToast } from '#web/ui/toasts.tsx'
import { draftKeyOf, keepDraft, readDraft, type Draft } from './entry-draft.ts'

interface EntryDialogProps {
  competition: Competition
  onClose: () => void
}

/** Prepares an entry. The entrant submits it at the portal: nothing of it is sent to our server. */
export function EntryDialog({ competition, onClose }: EntryDialogProps) {
  const { user } = useSession()
  const draftKey = draftKeyOf(user?.id ?? guestId(), competition.id)
  const [entry, setEntry] = useState(() => readDraft(draftKey))
  const [errors, setErrors] = useState<Errors>({})
  const toast = useToast()
  const formId = useId()
  const isTooLong = isOverWordLimit(entry.content)

  const change = (changed: Partial<Draft>) => {
    const next = { ...entry, ...changed }
    setEntry(next)
    keepDraft(draftKey, next)
    const unchanged = Object.entries(errors).filter(([field]) => !(field in changed))
    setErrors(Object.fromEntries(unchanged))
  }
  const fieldOf = (name: keyof Draft) => ({
    name,
    value: entry[name],
    error: errors[name],
    onChange: ({ target }: { target: { value: string } }) => change({ [name]: target.value }),
  })
  const goOn = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (isTooLong) return
    const checked = CompetitionEntry.safeParse(entry)
    if (!checked.success) {
      const found: Errors = {}
      for (const { path, message } of checked.error.issues) found[path[0] as keyof Draft] ??= message
      setErrors(found)
      if (required.some((field) => isBlank(entry[field]))) {
        toast({
          title: 'Missing Information',
          description: 'Please fill in all required fields.',
          tone: 'destructive',
        })
      }
      const first = required.find((field) => found[field] !== undefined)
      return first && focusOn(event.currentTarget.elements.namedItem(first))
    }
    window.open(competition.submissionLink, '_blank', 'noopener,noreferrer')
  }
  return (
    <Dialog
      title={competition.title}
      description="What you write here stays in this browser. You submit it at the submission portal, which opens in a new tab."
      startsInField
      onClose={onClose}
      footer={
        <Button type="submit" form={formId} disabled={isTooLong}>
          Continue to the portal
        </Button>
      }
    >
      <form
        id={formId}
        noValidate
        onSubmit={goOn}
        onKeyDown={submitOnCtrlEnter}
        className="flex flex-col gap-4"
      >
        <TextField label="Title" required {...fieldOf('title')} />
        <TextArea
          label="Content"
          required
          rows={8}
          {...fieldOf('content')}
          hint={`${countWords(entry.content)} of ${competition.wordLimit} words`}
          error={isTooLong ? 'Exceeds word limit' : errors.content}
        />
        <TextField label="Author name" required autoComplete="name" {...fieldOf('authorName')} />
        <TextField label="Email" type="email" required autoComplete="email" {...fieldOf('email')} />
        <TextArea label="Bio (optional)" rows={2} {...fieldOf('bio')} />
      </form>
    </Dialog>
  )
}

type Errors = Partial<Record<keyof Draft, string>>

const required = ['title', 'content', 'authorName', 'email'] as const

function focusOn(field: Element | RadioNodeList | null) {
  if (field instanceof HTMLElement) field.focus()
}
