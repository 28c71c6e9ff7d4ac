import { useRef, useState } from 'react'
import type { PendingPost } from '#contract/feed/post.ts'
import { undoWithinMs, useHeld } from '#web/lib/use-held.ts'
import { useToast } from '#web/ui/toasts.tsx'
import { useApprovePost, useChangeVisibility } from './api.ts'
import { decidedSentence, failureOf } from './use-batches.ts'
import { visibilityWords } from './visibility-words.ts'

const kinds = {
  approve: { doing: 'Approving', failed: 'Failed to approve post' },
  setAside: { doing: 'Setting aside', failed: visibilityWords(true, false).failed },
}
export type DecisionKind = keyof typeof kinds

/** Decisions without a reason. The admin can undo one before anybody is notified (decision 31). */
export function useHeldDecisions() {
  const approval = useApprovePost()
  const visibilityChange = useChangeVisibility()
  const toast = useToast()
  /** The post of the last undone decision, until its row has the focus. */
  const returnedId = useRef<string>(null)
  const [failures, setFailures] = useState<ReadonlyMap<string, string>>(new Map())
  const setFailure = (id: string, sentence: string | null) =>
    setFailures((all) => {
      const next = new Map(all)
      if (sentence === null) next.delete(id)
      else next.set(id, sentence)
      return next
    })

  const held = useHeld<{ id: string; post: PendingPost; kind: DecisionKind }>(async ({ id, kind }) => {
    const about = { params: { id }, keepalive: true }
    try {
      if (kind === 'approve') await approval.run(about)
      else await visibilityChange.run({ ...about, input: { isVisible: false, isWaiting: true } })
    } catch (error) {
      const decided = decidedSentence(error)
      if (decided !== null) toast({ title: decided, tone: 'destructive' })
      else setFailure(id, failureOf(error, kinds[kind].failed))
    }
  })

  const decide = (post: PendingPost, kind: DecisionKind) => {
    setFailure(post.id, null)
    held.hold({ id: post.id, post, kind })
    toast({
      title: `${kinds[kind].doing}: the post of ${post.authorName}`,
      shownMs: undoWithinMs,
      action: { label: 'Undo', onPress: () => undo(post.id) },
    })
  }

  /** Returns the id of the post that is back in the queue. */
  const undo = (id?: string): string | undefined => {
    const decision = held.undo(id)
    if (decision === undefined) {
      toast({ title: 'Nothing to undo', description: 'A decision can be undone for 10 seconds.' })
      return undefined
    }
    const { post } = decision
    returnedId.current = post.id
    toast({ title: `The post of ${post.authorName} is back in the queue` })
    return post.id
  }

  /** The id of the post whose row is to have the focus after an undo. It is returned once. */
  const takeReturnedId = () => {
    const id = returnedId.current
    returnedId.current = null
    return id
  }

  return { hiddenIds: held.hiddenIds, failures, decide, undo, takeReturnedId }
}
