import { useEffect, useEffectEvent } from 'react'
import type { PendingPost } from '#contract/feed/post.ts'
import { onKeys } from '#web/lib/keys.ts'
import { useMayDecide } from './use-may-decide.ts'
import type { DecisionKind, useHeldDecisions } from './use-held-decisions.ts'

type Decisions = Pick<ReturnType<typeof useHeldDecisions>, 'decide' | 'undo'>

/**
 * The keys of the queue. The keys a and s decide about the post whose row has the focus. Enter needs no key: the focus is on
 * the button that opens the post.
 */
export function useQueueKeys(posts: readonly PendingPost[], { decide, undo }: Decisions) {
  const mayDecideAbout = useMayDecide()
  const focused = () =>
    posts.findIndex(({ id }) => openerOf(id)?.closest('li')?.contains(document.activeElement))

  const decideAbout = (post: PendingPost, kind: DecisionKind) => {
    // The row leaves the list, and the focus goes to the next one.
    const place = posts.indexOf(post)
    if (place === focused()) focusOn((posts[place + 1] ?? posts[place - 1])?.id)
    decide(post, kind)
  }
  const press = useEffectEvent((key: string) => {
    const place = focused()
    const current = posts[place]
    const mayDecide = current !== undefined && mayDecideAbout(current)
    if (key === 'j') focusOn(posts[Math.min(place + 1, posts.length - 1)]?.id)
    if (key === 'k') focusOn(posts[Math.max(place - 1, 0)]?.id)
    if (key === 'a' && mayDecide) decideAbout(current, 'approve')
    if (key === 's' && mayDecide) decideAbout(current, 'setAside')
    if (key === 'u') undo()
  })
  useEffect(() => {
    const stops = ['j', 'k', 'a', 's', 'u'].map((key) => onKeys(key, () => press(key)))
    return () => {
      for (const stop of stops) stop()
    }
  }, [])
  return { decide: decideAbout }
}

const openerOf = (id: string) => document.querySelector<HTMLElement>(`[data-opens="${id}"]`)

/** What has the focus for a post of the queue: its button, or the title of the queue when there is no such post. */
export const focusPlaceOf = (id: string | undefined) =>
  (id === undefined ? null : openerOf(id)) ?? document.getElementById('pending-title')

export const focusOn = (id: string | undefined) => focusPlaceOf(id)?.focus()
