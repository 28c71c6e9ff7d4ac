import { type FormEvent, useState } from 'react'
import { useLocation } from 'wouter'
import { uploadCover } from '#contract/covers/endpoints.ts'
import { proposedAuthorName } from '#contract/account/author-name.ts'
import type { User } from '#contract/account/user.ts'
import { authorNameMaxLength, postMaxLength } from '#contract/feed/post.ts'
import { isBlank, lengthInCodePoints } from '#contract/text.ts'
import { useAreKeysAwaited, useSession, useSignInAgain } from '#web/features/account/index.ts'
import { PublishTimeFields, scheduledNotice, usePublishTime } from '#web/features/posts/index.ts'
import { editorStatus, tooLong } from '#web/lib/editor/status.ts'
import { fieldOf } from '#web/lib/editor/use-drafted-text.ts'
import { nothingStored, useEditor } from '#web/lib/editor/use-editor.ts'
import { useFormChoices } from '#web/lib/form-choices.ts'
import { RequestError } from '#web/lib/request.ts'
import { submitOnCtrlEnter } from '#web/lib/send-shortcuts.ts'
import { useUpload } from '#web/lib/use-upload.ts'
import { Button } from '#web/ui/Button.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { TextArea } from '#web/ui/TextArea.tsx'
import { TextField } from '#web/ui/TextField.tsx'
import { useToast } from '#web/ui/toasts.tsx'
import { TwoTexts } from '#web/ui/TwoTexts.tsx'
import { useCreatePost } from './api.ts'
import { articleChoices } from './article-draft.ts'
import { CoverField } from './CoverField.tsx'

/** Publishes an article without review. */
export function CreateContent() {
  const { user } = useSession()
  const areKeysAwaited = useAreKeysAwaited()
  // The owner of a draft and its stored fields have to be known before the first letter of it is stored.
  return user === null || areKeysAwaited ? <Skeleton className="h-96" /> : <ArticleForm user={user} />
}

function ArticleForm({ user }: { user: User }) {
  const { choices, choose, forget } = useFormChoices(articleChoices(user.id))
  const creation = useCreatePost()
  const upload = useUpload(uploadCover)
  const [sentUrl, setSentUrl] = useState('')
  const toast = useToast()
  const [, navigate] = useLocation()
  const time = usePublishTime()
  const isScheduled = time.chosen !== null
  const { imageUrl } = choices
  const authorName = choices.authorName ?? proposedAuthorName(user)
  const editor = useEditor({
    owner: user.id,
    place: 'article',
    stored: nothingStored,
    save: async (content) => {
      setSentUrl(imageUrl)
      await creation.run({
        input: {
          content,
          authorName,
          ...(imageUrl && { imageUrl }),
          ...(isScheduled && { publishAt: time.publishAt }),
        },
      })
      forget()
      return nothingStored
    },
  })
  const { isTooLong, field } = fieldOf(editor, postMaxLength)
  const nameOver = lengthInCodePoints(authorName) - authorNameMaxLength
  const isRunning = editor.state === 'saving'
  const cannotPublish =
    isBlank(editor.text) ||
    isBlank(authorName) ||
    isTooLong ||
    nameOver > 0 ||
    time.error !== undefined ||
    isRunning ||
    upload.share !== null
  const refusals = editor.error instanceof RequestError ? editor.error.fields : {}

  const publish = async () => {
    if (cannotPublish || !(await editor.save())) return
    if (!isScheduled) return toast({ title: 'Published', description: "The article is in today's feed." })
    toast(scheduledNotice)
    navigate('/writing?list=scheduled')
  }
  const signInAgain = useSignInAgain(editor, () => void publish())
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void publish()
  }
  return (
    <>
      <form onSubmit={submit} onKeyDown={submitOnCtrlEnter} className="flex max-w-reading flex-col gap-4">
        <h2 className="text-xl font-semibold">Create an article</h2>
        <TextArea label="Content" rows={10} {...field} />
        <TextField
          label="Author name"
          value={authorName}
          error={nameOver > 0 ? tooLong(nameOver) : undefined}
          onChange={(event) => choose({ authorName: event.target.value })}
        />
        <CoverField
          imageUrl={imageUrl}
          onChange={(changed) => choose({ imageUrl: changed })}
          upload={upload}
          refusal={editor.state === 'failed' && imageUrl === sentUrl ? refusals['imageUrl'] : undefined}
        />
        <PublishTimeFields
          time={time}
          refusal={editor.state === 'failed' ? refusals['publishAt'] : undefined}
        />
        <div className="flex flex-wrap items-center justify-end gap-3">
          <output className="text-xs text-ink-soft">
            {editorStatus(editor) || 'Kept on this device until it is published.'}
          </output>
          <span className="me-auto">{signInAgain.button}</span>
          <Button type="submit" disabled={cannotPublish} busy={isRunning}>
            {isScheduled ? 'Schedule' : 'Publish'}
          </Button>
        </div>
        <TwoTexts editor={editor} />
      </form>
      {signInAgain.dialog}
    </>
  )
}
