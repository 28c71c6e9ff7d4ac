import { type FormEvent, useEffect, useState } from 'react'
import { displayName } from '#contract/account/display-name.ts'
import { getFeedDay, submitPost } from '#contract/feed/endpoints.ts'
import { isBlank } from '#contract/text.ts'
import { useSession } from '#web/features/account/index.ts'
import { useAction } from '#web/lib/api.ts'
import { RequestError } from '#web/lib/request.ts'
import { watchUnsavedWork } from '#web/lib/unsaved-work.ts'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { RadioGroup } from '#web/ui/RadioGroup.tsx'
import { TextArea } from '#web/ui/TextArea.tsx'
import { TextField } from '#web/ui/TextField.tsx'
import { useToast } from '#web/ui/toasts.tsx'
import { type Draft, emptyDraft, forgetDraft, keepDraft, readDraft } from './post-draft.ts'

/** What is typed here is kept in this browser at once, and forgotten only when the server has it. */
export function CreatePostDialog({ onClose }: { onClose: () => void }) {
  const { user } = useSession()
  const personId = user?.id ?? null
  const [draft, setDraft] = useState(() => readDraft(personId))
  const [isSafe, setIsSafe] = useState(true)
  const [error, setError] = useState<string>()
  const toast = useToast()
  const submission = useAction(submitPost, { refreshes: [getFeedDay] })
  const authorName = draft.authorName ?? (user ? displayName(user) : '')
  const isRunning = submission.status === 'running'
  const cannotSubmit = isBlank(draft.content) || isBlank(authorName) || isRunning

  useEffect(() => watchUnsavedWork('post', () => !isBlank(readDraft(personId).content)), [personId])

  const change = (part: Partial<Draft>) => {
    const changed = { ...draft, ...part }
    setDraft(changed)
    setIsSafe(keepDraft(personId, changed))
  }
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (cannotSubmit) return
    setError(undefined)
    const premium = draft.type === 'premium' ? { type: 'premium' as const } : {}
    try {
      const { status } = await submission.run({ input: { content: draft.content, authorName, ...premium } })
      forgetDraft(personId)
      setDraft(emptyDraft)
      toast(
        status === 'published'
          ? { title: 'Published', description: 'Your post stands in the feed of today.' }
          : { title: 'Submitted for review' },
      )
      onClose()
    } catch (failure) {
      console.error('Failed to create post', failure)
      setError(failure instanceof RequestError && failure.error !== null ? failure.error : undefined)
      toast({ title: 'Error', description: 'Failed to create post. Please try again.', tone: 'destructive' })
    }
  }
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title="Create Post" size="large">
      <form className="flex flex-col gap-5" onSubmit={(event) => void submit(event)}>
        <TextArea
          label="Your text"
          rows={10}
          className="reading"
          value={draft.content}
          error={error}
          hint={
            isSafe
              ? 'Kept on this device until it is sent.'
              : 'This browser cannot keep your draft: send it before you leave.'
          }
          onChange={(event) => change({ content: event.target.value })}
        />
        <TextField
          label="Author name"
          autoComplete="name"
          value={authorName}
          onChange={(event) => change({ authorName: event.target.value })}
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
          value={draft.type}
          onChange={(type) => change({ type })}
        />
        <div className="flex justify-end gap-2">
          <Button variant="quiet" onClick={onClose}>
            Close
          </Button>
          <Button type="submit" disabled={cannotSubmit} busy={isRunning}>
            Submit
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
