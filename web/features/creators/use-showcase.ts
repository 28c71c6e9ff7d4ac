import { useMemo, useState, useSyncExternalStore } from 'react'
import type { ShowcaseItem } from '#contract/creators/showcase.ts'
import { followStorage, personKey, storedJson } from '#web/lib/storage.ts'
import { storedRow } from '#web/lib/stored-row.ts'
import { showcaseItems } from './showcase-items.ts'

/** Whole pieces are kept, and only their likes are read. */
type Like = Pick<ShowcaseItem, 'id' | 'isLiked'>
const row = storedRow<Like>({ id: 'string', isLiked: 'boolean' })

const itemsOf = (owner: string) =>
  storedJson<readonly Like[]>({
    key: personKey('showcase', owner),
    schema: { parse: (stored) => (stored as unknown[]).map(row.parse) },
    fallback: [],
  })

/** The pieces of the showcase with the likes of this person, which this browser keeps. All tabs share them. */
export function useShowcase(owner: string) {
  const stored = useMemo(() => itemsOf(owner), [owner])
  const kept = useSyncExternalStore(followStorage, stored.read)
  /** The changes that the browser could not store. */
  const [unstored, setUnstored] = useState<readonly Like[]>([])
  const items = withLikesOf([...unstored, ...kept])
  const toggleLike = ({ id, isLiked }: ShowcaseItem) => {
    const changes = [{ id, isLiked: !isLiked }, ...unstored]
    const next = withLikesOf([...changes, ...stored.read()])
    // Each array is a new one, so that the page is rendered again with what is stored now.
    setUnstored(stored.write(next) ? [] : changes)
  }
  return { items, toggleLike }
}

const toggled = (item: ShowcaseItem): ShowcaseItem => ({
  ...item,
  isLiked: !item.isLiked,
  likes: item.likes + (item.isLiked ? -1 : 1),
})

/** Texts and counts come from the page, which may be newer than what the browser keeps. */
const withLikesOf = (kept: readonly Like[]): readonly ShowcaseItem[] =>
  showcaseItems.map((item) => (kept.find(({ id }) => id === item.id)?.isLiked ? toggled(item) : item))
