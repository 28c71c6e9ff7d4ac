import { type ReactNode, useEffect, useEffectEvent, useId, useState, type FormEvent } from 'react'
import { CompetitionEntry, isOverWordLimit, type Competition } from './competition.ts'
import { countWords, isBlank } from '#contract/text.ts'
import { useAreKeysAwaited, useSession } from '#web/features/account/index.ts'
import { editorStatus } from '#web/lib/editor/status.ts'
import { nothingStored, useEditor } from '#web/lib/editor/use-editor.ts'
import { useFormChoices } from '#web/lib/form-choices.ts'
import { submitOnCtrlEnter } from '#web/lib/send-shortcuts.ts'
import { guestId } from '#web/lib/session-keys.ts'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { TextArea } from '#web/ui/TextArea.tsx'
import { TextField } from '#web/ui/TextField.tsx'
import { useToast } from '#web/ui/toasts.tsx'
import { TwoTexts } from '#web/ui/TwoTexts.tsx'
import { type Entry, entryFields, entryOfTab, entryPlace, isEmpty, isSameEntry } from './entry-draft.ts'

interface EntryDialogProps {
  competition: Competition
  onClose: () => void
}

/** Prepares an entry. The entrant submits it at the portal: nothing of it is sent to our server. */
export function EntryDialog(props: EntryDialogProps) {
  const { state, user } = useSession()
  // The owner of an entry and its stored fields have to be known before the first letter of it is stored.
  if (useAreKeysAwaited() || state === 'unknown') return null
  if (state === 'registered') return <EntryOfPerson {...props} owner={user.id} />
  return <EntryOfVisitor {...props} owner={user?.id ?? guestId()} />
}

interface OwnedEntryProps extends EntryDialogProps {
  owner: string
}

function EntryOfVisitor({ owner, ...props }: OwnedEntryProps) {
  const stored = entryOfTab(owner, props.competition.id)
  const [entry, setEntry] = useState(stored.read)
  const change = (changed: Partial<Entry>) => {
    const next = { ...entry, ...changed }
    setEntry(next)
    if (isEmpty(next)) stored.remove()
    else stored.write(next)
  }
  return <EntryForm {...props} entry={entry} onChange={change} />
}

/** The text is a draft, which outlives the tab and the session. */
function EntryOfPerson({ owner, ...props }: OwnedEntryProps) {
  const ofTab = entryOfTab(owner, props.competition.id)
  const [earlier] = useState(ofTab.read)
  const { choices, choose } = useFormChoices(entryFields(owner, earlier))
  const editor = useEditor({
    owner,
    place: entryPlace,
    stored: nothingStored,
    // No account stores an entry.
    save: () => Promise.resolve(nothingStored),
    unsavedCopy: earlier.content || undefined,
  })
  const entry: Entry = { ...choices, content: editor.text }
  const isMoved =
    !isEmpty(earlier) &&
    isSameEntry(entry, earlier) &&
    (editor.state === 'draftStored' || editor.state === 'unchanged')
  const move = useEffectEvent(() => {
    choose({})
    ofTab.remove()
  })
  useEffect(() => {
    if (isMoved) move()
  }, [isMoved])
  const change = ({ content, ...fields }: Partial<Entry>) => {
    if (content !== undefined) editor.change(content)
    else choose(fields)
  }
  return (
    <EntryForm
      {...props}
      entry={entry}
      onChange={change}
      isLoading={editor.state === 'loading'}
      status={editorStatus(editor)}
    >
      <TwoTexts editor={editor} />
    </EntryForm>
  )
}

interface EntryFormProps extends EntryDialogProps {
  entry: Entry
  onChange: (changed: Partial<Entry>) => void
  isLoading?: boolean
  /** Whether the text is safe on this device, in words. */
  status?: string
  children?: ReactNode
}

function EntryForm({
  competition,
  onClose,
  entry,
  onChange,
  isLoading = false,
  status = '',
  children,
}: EntryFormProps) {
  const [errors, setErrors] = useState<Errors>({})
  const toast = useToast()
  const formId = useId()
  const isTooLong = isOverWordLimit(entry.content)

  const change = (changed: Partial<Entry>) => {
    onChange(changed)
    const unchanged = Object.entries(errors).filter(([field]) => !(field in changed))
    setErrors(Object.fromEntries(unchanged))
  }
  const fieldOf = (name: keyof Entry) => ({
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
      for (const { path, message } of checked.error.issues) found[path[0] as keyof Entry] ??= message
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
          readOnly={isLoading}
          hint={`${countWords(entry.content)} of ${competition.wordLimit} words`}
          error={isTooLong ? 'Exceeds word limit' : errors.content}
        />
        <TextField label="Author name" required autoComplete="name" {...fieldOf('authorName')} />
        <TextField label="Email" type="email" required autoComplete="email" {...fieldOf('email')} />
        <TextArea label="Bio (optional)" rows={2} {...fieldOf('bio')} />
        <output className="text-xs text-ink-soft empty:hidden">{status}</output>
        {children}
      </form>
    </Dialog>
  )
}

type Errors = Partial<Record<keyof Entry, string>>

const required = ['title', 'content', 'authorName', 'email'] as const

function focusOn(field: Element | RadioNodeList | null) {
  if (field instanceof HTMLElement) field.focus()
}
