import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { PendingPost } from '#contract/feed/post.ts'
import { useToast } from '#web/ui/toasts.tsx'
import { useApprovePost, useChangeVisibility } from './api.ts'
import { decidedSentence } from './use-batches.ts'
import { visibilityWords } from './visibility-words.ts'

/** How long an admin can undo a decision. */
export const undoWithinMs = 10_000

const kinds = {
  approve: { doing: 'Approving', failed: 'Failed to approve post' },
  setAside: { doing: 'Setting aside', failed: visibilityWords(true, false).failed },
}
export type DecisionKind = keyof typeof kinds

interface Held {
  post: PendingPost
  kind: DecisionKind
  timer: ReturnType<typeof setTimeout>
}

/**
 * Decisions without a reason. Each is sent after 10 s, so that the admin can undo it before anybody is notified
 * (decision 31). It is sent earlier when the admin leaves the queue or the page.
 */
export function useHeldDecisions() {
  const approval = useApprovePost()
  const visibilityChange = useChangeVisibility()
  const toast = useToast()
  /** By post, the newest decision last. */
  const held = useRef(new Map<string, Held>())
  /** The post of the last undone decision, until its row has the focus. */
  const returnedId = useRef<string>(null)
  /** The posts whose rows the queue does not show, because a decision was made about them. */
  const [hiddenIds, setHiddenIds] = useState<ReadonlySet<string>>(new Set())
  const [failures, setFailures] = useState<ReadonlyMap<string, string>>(new Map())

  /** The queue shows the row of this post again, if the list still has it. */
  const stopHiding = (id: string) => setHiddenIds((ids) => new Set([...ids].filter((each) => each !== id)))
  const setFailure = (id: string, sentence: string | null) =>
    setFailures((all) => {
      const next = new Map(all)
      if (sentence === null) next.delete(id)
      else next.set(id, sentence)
      return next
    })

  const send = async (id: string) => {
    const decision = held.current.get(id)
    if (decision === undefined) return
    clearTimeout(decision.timer)
    held.current.delete(id)
    const { kind } = decision
    const about = { params: { id }, keepalive: true }
    try {
      if (kind === 'approve') await approval.run(about)
      else await visibilityChange.run({ ...about, input: { isVisible: false, isWaiting: true } })
    } catch (error) {
      const decided = decidedSentence(error)
      if (decided !== null) toast({ title: decided, tone: 'destructive' })
      else setFailure(id, kinds[kind].failed)
    }
    // After success the list was read again without the post. After a failure the row is shown again.
    stopHiding(id)
  }

  const decide = (post: PendingPost, kind: DecisionKind) => {
    setFailure(post.id, null)
    setHiddenIds((ids) => new Set([...ids, post.id]))
    const timer = setTimeout(() => void send(post.id), undoWithinMs)
    held.current.set(post.id, { post, kind, timer })
    toast({
      title: `${kinds[kind].doing}: the post of ${post.authorName}`,
      shownMs: undoWithinMs,
      action: { label: 'Undo', onPress: () => undo(post.id) },
    })
  }

  /** Returns the id of the post that is back in the queue. */
  const undo = (id = [...held.current.keys()].at(-1)): string | undefined => {
    const decision = id === undefined ? undefined : held.current.get(id)
    if (decision === undefined) {
      toast({ title: 'Nothing to undo', description: 'A decision can be undone for 10 seconds.' })
      return undefined
    }
    const { post, timer } = decision
    clearTimeout(timer)
    held.current.delete(post.id)
    stopHiding(post.id)
    returnedId.current = post.id
    toast({ title: `The post of ${post.authorName} is back in the queue` })
    return post.id
  }

  const sendAll = useEffectEvent(() => {
    for (const id of held.current.keys()) void send(id)
  })
  useEffect(() => {
    const leave = () => sendAll()
    addEventListener('pagehide', leave)
    return () => {
      removeEventListener('pagehide', leave)
      leave()
    }
  }, [])

  /** The id of the post whose row is to have the focus after an undo. It is returned once. */
  const takeReturnedId = () => {
    const id = returnedId.current
    returnedId.current = null
    return id
  }

  return { hiddenIds, failures, decide, undo, takeReturnedId }
}
