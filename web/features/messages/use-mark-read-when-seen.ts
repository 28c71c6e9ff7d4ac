import { type RefObject, useEffect, useEffectEvent, useState } from 'react'
import type { ListedFriend } from '#contract/friends/friend.ts'
import { useMarkRead } from './api.ts'
import type { Conversation } from './conversation.ts'

/** A message counts as visible above the field and the bars at the lower edge of the window. */
const rootMargin = '0px 0px -96px'

/**
 * Marks the messages of a friend as read once the newest of them was visible in a visible page. `isWhole` says whether all loaded
 * messages are drawn. The newest of the friend may be among those that are drawn after the first frame.
 */
export function useMarkReadWhenSeen(
  list: RefObject<HTMLElement | null>,
  { id: friendId, unreadCount }: ListedFriend,
  pages: Conversation,
  isWhole: boolean,
): void {
  const newestId = pages.at(-1)?.messages.findLast(({ sender_id }) => sender_id === friendId)?.id
  const [seenId, setSeenId] = useState<string>()
  const markRead = useMarkRead(friendId)
  const mark = useEffectEvent(() => void markRead(newestId!))

  useEffect(() => {
    const message = list.current?.querySelector(`[data-message="${newestId}"]`)
    if (!message) return
    const observer = new IntersectionObserver(
      (entries) => {
        const isVisible = entries.some(({ isIntersecting }) => isIntersecting)
        if (isVisible && document.visibilityState === 'visible') setSeenId(newestId)
      },
      { rootMargin },
    )
    // Observing again reports whether the message is visible now.
    const observe = () => {
      observer.disconnect()
      observer.observe(message)
    }
    observe()
    document.addEventListener('visibilitychange', observe)
    return () => {
      observer.disconnect()
      document.removeEventListener('visibilitychange', observe)
    }
  }, [list, newestId, isWhole])

  const isSeen = newestId !== undefined && seenId === newestId
  useEffect(() => {
    if (isSeen && unreadCount > 0) mark()
  }, [isSeen, newestId, unreadCount])
}
