import { type FormEvent, useState } from 'react'
import type { User } from '#contract/account/user.ts'
import { displayName } from '#contract/account/display-name.ts'
import { getFeedDay, submitPost } from '#contract/feed/endpoints.ts'
import { isBlank } from '#contract/text.ts'
import { useSession } from '#web/features/account/index.ts'
import { useAction } from '#web/lib/api.ts'
import { editorStatus } from '#web/lib/editor/status.ts'
import { emptyDraft, useEditor } from '#web/lib/editor/use-editor.ts'
import { RequestError } from '#web/lib/request.ts'
import { guestId } from '#web/lib/session-storage.ts'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { RadioGroup } from '#web/ui/RadioGroup.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { TextArea } from '#web/ui/TextArea.tsx'
import { TextField } from '#web/ui/TextField.tsx'
import { useToast } from '#web/ui/toasts.tsx'
import { TwoTexts } from '#web/ui/TwoTexts.tsx'
import { noChoices, postChoices, type PostChoices } from './post-draft.ts'

export function CreatePostDialog({ onClose }: { onClose: () => void }) {
  const { state, user } = useSession()
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title="Create Post" startsInField>
      {/* Whose sheet it is has to be known before a word is kept on it. */}
      {state === 'unknown' ? <Skeleton className="h-96" /> : <PostForm user={user} onClose={onClose} />}
    </Dialog>
  )
}

/** What is typed here is kept in this browser at once, and forgotten only when the server has it. */
function PostForm({ user, onClose }: { user: User | null; onClose: () => void }) {
  const [owner] = useState(() => user?.id ?? guestId())
  const [choices, setChoices] = useState(() => postChoices.read(owner))
  const [error, setError] = useState<string>()
  const toast = useToast()
  const submission = useAction(submitPost, { refreshes: [getFeedDay] })
  const authorName = choices.authorName ?? (user ? displayName(user) : '')

  const send = async (content: string) => {
    setError(undefined)
    const premium = choices.type === 'premium' ? { type: 'premium' as const } : {}
    const { status } = await submission.run({ input: { content, authorName, ...premium } })
    postChoices.forget(owner)
    setChoices(noChoices)
    toast(
      status === 'published'
        ? { title: 'Published', description: 'Your post stands in the feed of today.' }
        : { title: 'Submitted for review' },
    )
    return emptyDraft
  }
  const save = (content: string) =>
    send(content).catch((failure: unknown) => {
      console.error('Failed to create post', failure)
      setError(failure instanceof RequestError && failure.error !== null ? failure.error : undefined)
      toast({ title: 'Error', description: 'Failed to create post. Please try again.', tone: 'destructive' })
      throw failure
    })
  const editor = useEditor({ owner, place: 'post', stored: emptyDraft, save })
  const isRunning = editor.state === 'saving'
  const cannotSubmit = isBlank(editor.text) || isBlank(authorName) || isRunning

  const choose = (part: Partial<PostChoices>) => {
    const changed = { ...choices, ...part }
    setChoices(changed)
    postChoices.keep(owner, changed)
  }
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (!cannotSubmit && (await editor.save())) onClose()
  }
  return (
    <form className="flex flex-col gap-5" onSubmit={(event) => void submit(event)}>
      <TextArea
        label="Your text"
        rows={10}
        className="reading"
        value={editor.text}
        readOnly={editor.state === 'opening'}
        error={error}
        hint={editorStatus(editor) || 'Kept on this device until it is sent.'}
        onChange={(event) => editor.change(event.target.value)}
      />
      <TextField
        label="Author name"
        autoComplete="name"
        value={authorName}
        onChange={(event) => choose({ authorName: event.target.value })}
      />
      <RadioGroup
        legend="Publishing option"
        options={[
          {
            value: 'standard',
            label: 'Standard',
            hint: 'Free. An admin reviews your post; this takes up to 1 week.',
          },
          {
            value: 'premium',
            label: 'Premium',
            hint: `Published instantly. Subscription of $5/month.${user === null || user.isAnonymous ? ' Without an account your post still waits for review.' : ''}`,
          },
        ]}
        value={choices.type}
        onChange={(type) => choose({ type })}
      />
      <TwoTexts editor={editor} />
      <div className="flex justify-end gap-2">
        <Button variant="quiet" onClick={onClose}>
          Close
        </Button>
        <Button type="submit" disabled={cannotSubmit} busy={isRunning}>
          Submit
        </Button>
      </div>
    </form>
  )
}
