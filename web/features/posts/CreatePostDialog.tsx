import { type FormEvent, type KeyboardEvent, useRef, useState } from 'react'
import type { User } from '#contract/account/user.ts'
import { proposedAuthorName } from '#contract/account/author-name.ts'
import { submitPost } from '#contract/feed/endpoints.ts'
import { getFeedDay } from '#contract/feed/reading/endpoints.ts'
import { authorNameMaxLength, postMaxLength } from '#contract/feed/post.ts'
import { fits, isBlank, lengthInCodePoints } from '#contract/text.ts'
import { formOf, titleMaxLength, withTitle } from '#contract/text-form.ts'
import { useSession } from '#web/features/account/index.ts'
import { useAction } from '#web/lib/api.ts'
import { editorStatus } from '#web/lib/editor/status.ts'
import { emptyDraft, useEditor } from '#web/lib/editor/use-editor.ts'
import { useFormChoices } from '#web/lib/form-choices.ts'
import { RequestError } from '#web/lib/request.ts'
import { submitOnCtrlEnter } from '#web/lib/send-keys.ts'
import { guestId } from '#web/lib/session-storage.ts'
import { Button } from '#web/ui/Button.tsx'
import { cx } from '#web/ui/cx.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { Field } from '#web/ui/Field.tsx'
import { RadioGroup } from '#web/ui/RadioGroup.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { useToast } from '#web/ui/toasts.tsx'
import { TwoTexts } from '#web/ui/TwoTexts.tsx'
import { postChoices } from './post-draft.ts'

export function CreatePostDialog({ onClose }: { onClose: () => void }) {
  const { state, user } = useSession()
  return (
    <Dialog
      onClose={onClose}
      title={<span className="font-sans text-sm font-medium text-ink-soft">Create Post</span>}
      size="large"
      startsInField
    >
      {/* The owner of a draft has to be known before the first letter of it is stored. */}
      {state === 'unknown' ? <Skeleton className="h-96" /> : <PostForm user={user} onClose={onClose} />}
    </Dialog>
  )
}

/** A sheet to write a post on. The text is kept in this browser at once, until the server has stored it. */
function PostForm({ user, onClose }: { user: User | null; onClose: () => void }) {
  const [owner] = useState(() => user?.id ?? guestId())
  const { choices, choose, forget } = useFormChoices(postChoices(owner))
  const [refusal, setRefusal] = useState<Refusal>(noRefusal)
  const [typed, setTyped] = useState<Parts>({ title: '', body: '' })
  const text = useRef<HTMLTextAreaElement>(null)
  const toast = useToast()
  const submission = useAction(submitPost, { refreshes: [getFeedDay], failure: 'Failed to create post' })
  const authorName = choices.authorName ?? (user ? proposedAuthorName(user) : '')

  const send = async (content: string) => {
    setRefusal(noRefusal)
    const premium = choices.type === 'premium' ? { type: 'premium' as const } : {}
    const { status } = await submission.run({ input: { content, authorName, ...premium } })
    forget()
    toast(
      status === 'published'
        ? { title: 'Published', description: "Your post is in today's feed." }
        : { title: 'Submitted for review', description: 'An admin will read it within a week.' },
    )
    return emptyDraft
  }
  const save = (content: string) =>
    send(content).catch((failure: unknown) => {
      setRefusal(refusalOf(failure))
      toast({ title: 'Error', description: 'Failed to create post. Please try again.', tone: 'destructive' })
      throw failure
    })
  const editor = useEditor({ owner, place: 'post', stored: emptyDraft, save })
  const isRunning = editor.state === 'saving'
  // A line break that is typed in the text does not turn its first line into the title while somebody writes.
  const parts = withTitle(typed.title, typed.body) === editor.text ? typed : partsOf(editor.text)
  const errors = {
    title: excessOf(parts.title, titleMaxLength),
    body: excessOf(editor.text, postMaxLength) ?? refusal.fields['content'],
    authorName: excessOf(authorName, authorNameMaxLength) ?? refusal.fields['authorName'],
  }
  const isTooLong =
    !fits(parts.title, titleMaxLength) ||
    !fits(authorName, authorNameMaxLength) ||
    !fits(editor.text, postMaxLength)
  const cannotSubmit = isBlank(editor.text) || isBlank(authorName) || isTooLong || isRunning

  const write = (part: Partial<Parts>) => {
    const changed = { ...parts, ...part }
    setTyped(changed)
    editor.change(withTitle(changed.title, changed.body))
  }
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (!cannotSubmit && (await editor.save())) onClose()
  }
  const goOnInText = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.ctrlKey || event.metaKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    text.current?.focus()
  }
  const isReadOnly = editor.state === 'loading'
  return (
    <form
      className="-mb-5 flex min-h-[calc(100%+1.25rem)] flex-col"
      onSubmit={(event) => void submit(event)}
      onKeyDown={submitOnCtrlEnter}
    >
      <div className="reading-column flex flex-1 flex-col gap-2">
        <Field label="Title (optional)" labelHidden error={errors.title}>
          {(control) => (
            <input
              {...control}
              placeholder="Title"
              value={parts.title}
              readOnly={isReadOnly}
              onChange={(event) => write({ title: event.target.value })}
              onKeyDown={goOnInText}
              className={cx(lineClass, 'border-transparent text-2xl font-semibold')}
            />
          )}
        </Field>
        <Field label="Your text" labelHidden error={errors.body}>
          {(control) => (
            <textarea
              {...control}
              ref={text}
              placeholder="Your text"
              value={parts.body}
              readOnly={isReadOnly}
              onChange={(event) => write({ body: event.target.value })}
              className={cx(
                lineClass,
                'reading border-transparent field-sizing-content min-h-[8lh] resize-none',
              )}
            />
          )}
        </Field>
        <div className="mt-4 flex flex-col gap-4 font-sans text-base">
          <Field label="Author name" error={errors.authorName}>
            {(control) => (
              <input
                {...control}
                autoComplete="name"
                value={authorName}
                onChange={(event) => choose({ authorName: event.target.value })}
                className={cx(lineClass, 'border-edge')}
              />
            )}
          </Field>
          <RadioGroup
            legend="Publishing option"
            plain
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
        </div>
      </div>
      <TwoTexts editor={editor} />
      <p role="alert" className="reading-column mt-4 text-sm font-medium text-bad empty:hidden">
        {refusal.sentence}
      </p>
      <div
        data-foot
        className="sticky -bottom-5 -mx-5 mt-5 flex items-center justify-end gap-3 border-t border-line bg-surface px-5 py-3 sm:-mx-6 sm:px-6"
      >
        <output className="me-auto text-xs text-ink-soft">
          {editorStatus(editor) || 'Kept on this device until it is sent.'}
        </output>
        <Button variant="quiet" className="max-sm:hidden" onClick={onClose}>
          Close
        </Button>
        <Button type="submit" disabled={cannotSubmit} busy={isRunning}>
          Submit
        </Button>
      </div>
    </form>
  )
}

interface Refusal {
  /** By the name that the field has on the wire. */
  fields: Record<string, string>
  /** What is refused besides the fields. */
  sentence: string | null
}

const noRefusal: Refusal = { fields: {}, sentence: null }

function refusalOf(failure: unknown): Refusal {
  if (!(failure instanceof RequestError)) return noRefusal
  const { fields, error } = failure
  const isShown = fields['content'] !== undefined || fields['authorName'] !== undefined
  return { fields, sentence: isShown ? null : error }
}

interface Parts {
  title: string
  body: string
}

function partsOf(text: string): Parts {
  const { title, body } = formOf(text)
  return { title: title ?? '', body }
}

function excessOf(text: string, max: number): string | undefined {
  if (fits(text, max)) return undefined
  const excess = lengthInCodePoints(text) - max
  return `${excess.toLocaleString('en-US')} ${excess === 1 ? 'character' : 'characters'} too long`
}

/** A line to write on, without a box. */
const lineClass =
  'w-full border-b bg-transparent py-1 caret-lamp outline-hidden [unicode-bidi:plaintext] focus:border-lamp aria-invalid:border-bad'
