import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { createDraft, deleteDraft, getDraft, listDrafts, saveDraft } from '#contract/drafts/endpoints.ts'
import type { Draft } from '#contract/drafts/draft.ts'
import type { SentInput } from '#contract/endpoint.ts'
import type { EditablePost } from '#contract/feed/own/endpoints.ts'
import { isBlank } from '#contract/text.ts'
import { codeOf, readStateOf, queryKeyOf, useAction } from '#web/lib/api.ts'
import { saveOrConflict } from '#web/lib/editor/conflict.ts'
import type { Save } from '#web/lib/editor/save.ts'
import { type Editor, nothingStored, useEditor } from '#web/lib/editor/use-editor.ts'
import { useFormChoices } from '#web/lib/form-choices.ts'
import { isTemporary } from '#web/lib/editor/requested-save.ts'
import { RequestError, send } from '#web/lib/request.ts'
import { choicesHere, currentDraft, type PostChoices } from './draft-choices.ts'
import { addToCache, choicesOf, draftForm, storeDraft } from './save-draft.ts'

/** Which draft is written, and by whom. */
export interface DraftIdentity {
  owner: string
  /** Null for the one draft of a visitor or guest, which stays in this browser. */
  id: string | null
  /** This page has just chosen the id, so the server is not asked for the draft. */
  isNew: boolean
  /** The post that the draft changes. The draft has the same id. */
  original?: EditablePost
}

export interface WrittenDraft extends DraftIdentity {
  editor: Editor
  choices: PostChoices
  choose: (part: Partial<PostChoices>) => void
  /** The version of the stored draft; null while there is none. */
  version: string | null
  /** When the draft was first stored. */
  begunAt: string | undefined
  /** The post that the stored draft changes. */
  postId: string | null
  /** The server has lost the draft that it had stored. Nothing is saved on the server until the person has decided. */
  isGone: boolean
  /** Stores the text and its choices on the server again. */
  keepAsNew: () => Promise<boolean>
  /** Removes the text and its choices from this browser. */
  discardHere: () => Promise<void>
  /** The stored draft could not be read. */
  isFailed: boolean
  refetch: () => void
  /**
   * Sends the text by `send`, with the version of the stored draft from which it was written. After success the draft is
   * removed from this browser, and the draft of a change also from the server. Returns whether the text was sent.
   */
  submit: (send: (text: string, base: string | null) => Promise<void>) => Promise<boolean>
  isSubmitting: boolean
}

const saveAfterMs = 2000
const tryAgainAfterMs = 15_000

/**
 * A post that a person writes: its text and the choices beside it. Each change of either is stored in this browser immediately.
 * The draft of a registered person is also stored on the server: two seconds after a change, when the tab is hidden, and when
 * the person leaves the page.
 */
export function useDraft(identity: DraftIdentity): WrittenDraft {
  const { owner, id, isNew, original } = identity
  const client = useQueryClient()
  const params = { id: id ?? '' }
  const key = queryKeyOf(getDraft, { params })
  const [isGone, setIsGone] = useState(false)
  /** The text was sent or discarded: nothing is saved any more. */
  const isFinished = useRef(false)
  const query = readStateOf(
    useQuery<Draft | null>({
      queryKey: key,
      // Most drafts are opened before the server has them: a missing one is no failure.
      queryFn: ({ signal }) =>
        send(getDraft, { params, signal }).catch((failure: unknown) => {
          if (codeOf(failure) !== 'DraftNotFound') throw failure
          // The page still shows the choices of a draft that the server has lost.
          const known = client.getQueryData<Draft | null>(key) ?? null
          if (known !== null && !isFinished.current) setIsGone(true)
          return known
        }),
      enabled: id !== null && !isNew,
      staleTime: 0,
    }),
  )
  const localChoices = useFormChoices(choicesHere(owner, id))
  const [isSubmitting, setIsSubmitting] = useState(false)
  const { run: create } = useAction(createDraft)
  const { run: change } = useAction(saveDraft)
  const { run: remove } = useAction(deleteDraft, { doneBy: 'DraftNotFound', refreshes: [listDrafts] })
  const draft = query.data ?? undefined
  const choices = localChoices.choices.chosen ?? choicesOf(draft ?? original)

  const store = async (content: string, base: string | null): Promise<Draft> => {
    const draftToStore = { id, postId: original?.id ?? null, content, choices, base }
    const calls = {
      create: (input: SentInput<typeof createDraft>) => create({ input, personId: owner }),
      change: (input: SentInput<typeof saveDraft>) => change({ params, input, personId: owner }),
    }
    const saved = await storeDraft(draftToStore, calls).catch((error: unknown) => {
      if (codeOf(error) === 'DraftNotFound') {
        setIsGone(true)
        // The server has lost the choices as well, so this browser stores them beside the text.
        localChoices.choose({ chosen: choices })
      }
      throw error
    })
    addToCache(client, saved)
    // A choice that was made while the draft was being saved stays in this browser until the next save.
    const chosenSince = choicesHere(owner, id).read().chosen
    if (JSON.stringify(chosenSince) === JSON.stringify(localChoices.choices.chosen)) localChoices.forget()
    return saved
  }
  const save: Save = saveOrConflict(store, draftForm)
  const saveAsNew: Save = saveOrConflict((content) => store(content, null), draftForm)
  const isKnown = id === null || isNew || query.status !== 'loading'
  const withoutDraft = original === undefined ? nothingStored : { text: original.content, version: null }
  const stored = draft === undefined ? withoutDraft : { text: draft.content, version: draft.updatedAt }
  const editor = useEditor({
    owner,
    place: id === null ? 'post' : `draft/${id}`,
    stored: isKnown ? stored : undefined,
    save,
    sendsLater: id !== null,
  })

  const isUnsaved = needsSave(editor) || (localChoices.choices.chosen !== null && isStored(editor))
  const isNothing = isBlank(editor.text) && draft === undefined
  const isSaveDue = id !== null && isUnsaved && !isNothing && editor.conflict === null && !isGone
  const saveNow = useEffectEvent(() => {
    if (!isSaveDue || isFinished.current) return
    void editor.save()
  })
  const afterMs = editor.state === 'failed' ? tryAgainAfterMs : saveAfterMs
  useEffect(() => {
    if (!isSaveDue) return
    const timer = setTimeout(saveNow, afterMs)
    return () => clearTimeout(timer)
  }, [isSaveDue, afterMs])
  useEffect(() => {
    const onHide = () => document.hidden && saveNow()
    document.addEventListener('visibilitychange', onHide)
    return () => document.removeEventListener('visibilitychange', onHide)
  }, [])
  const leave = useRef<() => void>(undefined)
  useEffect(() => {
    leave.current = () => {
      if (isFinished.current) client.removeQueries({ queryKey: key, exact: true })
      else if (isSaveDue) void editor.save()
    }
  })
  useEffect(() => () => leave.current?.(), [])

  return {
    ...identity,
    version: stored.version,
    begunAt: draft?.createdAt,
    postId: draft?.postId ?? null,
    editor,
    choices,
    choose: (part) => localChoices.choose({ chosen: { ...choices, ...part } }),
    isGone,
    keepAsNew: async () => {
      const isKept = await editor.save(saveAsNew)
      if (isKept) setIsGone(false)
      return isKept
    },
    discardHere: async () => {
      isFinished.current = true
      await editor.save(() => Promise.resolve(nothingStored))
      localChoices.forget()
      const current = currentDraft(owner)
      if (current.read().id === id) current.remove()
    },
    isFailed: query.status === 'failed',
    refetch: query.refetch,
    isSubmitting,
    submit: async (sendText) => {
      setIsSubmitting(true)
      // A save in progress would end after the post is sent, and bring the draft back. One more may wait for it.
      while (editor.saving !== null) await editor.saving
      const wasSent = await editor.save(async (text, base) => {
        await sendText(text, base).catch((failure: unknown) => {
          setIsSubmitting(false)
          throw failure
        })
        isFinished.current = true
        // The server deletes the draft of a new post with `submitPost`. A text that another device has saved since stays.
        if (original !== undefined && base !== null) await remove({ params, query: { base } }).catch(() => {})
        localChoices.forget()
        return nothingStored
      })
      setIsSubmitting(false)
      return wasSent
    },
  }
}

const isStored = ({ state }: Editor) => state === 'unchanged' || state === 'saved'

/** The text is not stored yet, and another attempt may succeed. */
const needsSave = ({ state, error }: Editor) =>
  ['changed', 'draftStored', 'draftFailed'].includes(state) ||
  (state === 'failed' && (!(error instanceof RequestError) || isTemporary(error)))
