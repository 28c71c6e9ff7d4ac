import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { User } from '#contract/account/user.ts'
import { proposedAuthorName } from '#contract/account/author-name.ts'
import { listDrafts } from '#contract/drafts/endpoints.ts'
import { submitPost } from '#contract/feed/endpoints.ts'
import { getFeedDay, getPost } from '#contract/feed/reading/endpoints.ts'
import { changePost, type EditablePost, getOwnPost } from '#contract/feed/own/endpoints.ts'
import { authorNameMaxLength, postMaxLength, tagMaxLength } from '#contract/feed/post.ts'
import { listOwnPosts } from '#contract/feed/review/endpoints.ts'
import { listScheduledPosts } from '#contract/feed/scheduled/endpoints.ts'
import type { OutputOf } from '#contract/endpoint.ts'
import { fits, isBlank, lengthInCodePoints } from '#contract/text.ts'
import { codeOf, queryKeyOf, useAction } from '#web/lib/api.ts'
import { useAppConfig, useHas } from '#web/lib/app-config.tsx'
import { ConflictError } from '#web/lib/editor/save.ts'
import { RequestError, send } from '#web/lib/request.ts'
import { useToast } from '#web/ui/toasts.tsx'
import { currentDraft } from './draft-choices.ts'
import { scheduledNotice, usePublishTime } from './use-publish-time.ts'
import type { WrittenDraft } from './use-draft.ts'

interface Refusal {
  /** By the name that the field has on the wire. */
  fields: Record<string, string>
  /** What is refused besides the fields. */
  sentence: string | null
}

/** What has become of a new post. */
const sent = {
  published: { title: 'Published', description: "Your post is in today's feed." },
  pending: { title: 'Submitted for review', description: 'It is reviewed within a week.' },
  scheduled: scheduledNotice,
}
const changed = { title: 'Changed', description: 'Readers see the new text.' }
const noRefusal: Refusal = { fields: {}, sentence: null }
/** The fields that show their own refusal. */
const shownFields = ['content', 'authorName', 'publishAt']

export type Submission = ReturnType<typeof useSubmission>

/** Submits a draft as a new post. A refusal is shown at its field, and nothing that was typed is lost. */
export function useSubmission(draft: WrittenDraft, user: User | null) {
  const { editor, choices, owner, id, original } = draft
  const client = useQueryClient()
  const [refusal, setRefusal] = useState(noRefusal)
  const toast = useToast()
  const { publishesPremium } = useAppConfig()
  const time = usePublishTime()
  const isPremium = useHas('premium') && choices.postType === 'premium'
  const maySchedule = isPremium && publishesPremium && user !== null && !user.isAnonymous
  const isScheduled = maySchedule && time.chosen !== null
  const refreshes = [getFeedDay, listDrafts, listOwnPosts, listScheduledPosts]
  const submission = useAction(submitPost, { refreshes, failure: 'Failed to create post' })
  const authorName = choices.authorName ?? (user ? proposedAuthorName(user) : '')
  const tooLongTag = choices.tags.find((tag) => !fits(tag, tagMaxLength))
  const isTooLong =
    tooLongTag !== undefined ||
    excessOf(authorName, authorNameMaxLength) !== undefined ||
    excessOf(editor.text, postMaxLength) !== undefined

  const change = useAction(changePost, {
    refreshes: [getFeedDay, getPost, getOwnPost, listOwnPosts],
    failure: 'Failed to change post',
  })
  /** The post as this page first read it. A later read does not mean that the author has seen the newer text. */
  const [firstRead] = useState(original?.updatedAt)
  /** The newer text that the author saw in a conflict. */
  const seen = useRef<string>(null)
  const sendChange = async (post: EditablePost, content: string) => {
    const { form, category, tags } = choices
    const params = { id: post.id }
    const read = firstRead ?? post.updatedAt
    const { begunAt = read } = draft
    // A draft that is older than the text of the post was begun from an earlier text.
    const base = seen.current ?? (begunAt < read ? begunAt : read)
    try {
      const input = { content, base, form, category, tags }
      return await change.run({ params, input, personId: owner })
    } catch (failure) {
      if (codeOf(failure) !== 'PostConflict') throw failure
      const current = await send(getOwnPost, { params })
      client.setQueryData(queryKeyOf(getOwnPost, { params }), current)
      seen.current = current.updatedAt
      throw new ConflictError({ text: current.content, version: draft.version })
    }
  }
  const sendNew = async (content: string, draftBase: string | null) => {
    const premium = isPremium ? { type: 'premium' as const } : {}
    const { form, category, tags } = choices
    const input = {
      content,
      authorName,
      ...premium,
      ...(id !== null && draftBase !== null && { draftId: id, draftBase }),
      ...(form !== null && { form }),
      ...(category !== null && { category }),
      ...(tags.length > 0 && { tags }),
      ...(isScheduled && { publishAt: time.publishAt }),
    }
    // A visitor or guest has no draft on the server.
    return submission.run({ input, ...(id !== null && { personId: owner }) })
  }
  const submit = async () => {
    setRefusal(noRefusal)
    let answer: OutputOf<typeof submitPost> | undefined
    const wasSent = await draft.submit(async (content, base) => {
      try {
        answer = await (original === undefined ? sendNew(content, base) : sendChange(original, content))
      } catch (failure) {
        if (failure instanceof ConflictError) throw failure
        setRefusal(refusalOf(failure))
        toast({
          title: 'Error',
          description: `Failed to ${original === undefined ? 'create' : 'change'} post. Please try again.`,
          tone: 'destructive',
        })
        throw failure
      }
    })
    if (!wasSent || answer === undefined) return undefined
    const current = currentDraft(owner)
    if (current.read().id === id) current.remove()
    toast(original === undefined || answer.status === 'pending' ? sent[answer.status] : changed)
    return answer
  }
  return {
    authorName,
    time,
    maySchedule,
    isScheduled,
    submit,
    refusal,
    isRunning: draft.isSubmitting,
    errors: {
      body: excessOf(editor.text, postMaxLength) ?? refusal.fields['content'],
      tags:
        tooLongTag === undefined
          ? refusal.fields['tags']
          : `A tag has at most ${tagMaxLength} characters: ${tooLongTag}`,
      authorName: excessOf(authorName, authorNameMaxLength) ?? refusal.fields['authorName'],
      publishAt: refusal.fields['publishAt'],
    },
    cannotSubmit:
      isBlank(editor.text) ||
      isBlank(authorName) ||
      isTooLong ||
      (isScheduled && time.error !== undefined) ||
      draft.isSubmitting,
  }
}

function refusalOf(failure: unknown): Refusal {
  if (!(failure instanceof RequestError)) return noRefusal
  const { fields, error } = failure
  const isShown = shownFields.some((field) => fields[field] !== undefined)
  return { fields, sentence: isShown ? null : error }
}

export function excessOf(text: string, max: number): string | undefined {
  // A long text is not normalized at each key press.
  if (text.length <= max || fits(text, max)) return undefined
  const excess = lengthInCodePoints(text) - max
  return `${excess.toLocaleString('en-US')} ${excess === 1 ? 'character' : 'characters'} too long`
}
