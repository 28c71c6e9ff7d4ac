import { postPath } from '#contract/feed/post.ts'
import { personPath } from '#contract/people/paths.ts'
import { roomLink } from '#contract/rooms/paths.ts'
import type { MarkedText, SearchAnswer } from '#contract/search/endpoints.ts'
import type { SearchKind } from '#contract/search/query.ts'

/** A result of the server: a link to the thing itself. */
export interface FoundThing {
  id: string
  href: string
  title: MarkedText
  /** The author of a post with a title. For a post without one, `title` is the name of the author. */
  author?: string
  line: MarkedText
  /** When a post was published. */
  publishedAt?: string
}

export interface FoundGroup {
  kind: SearchKind
  name: string
  things: FoundThing[]
  nextBefore: string | null
}

export const kindNames: Record<SearchKind, string> = {
  posts: 'Posts',
  people: 'People',
  rooms: 'Rooms',
  stories: 'Stories',
}

const plain = (text: string): MarkedText => ({ text, marks: [] })

/** The groups of an answer that have results, or more of them on a later page. */
export function groupsOf({ posts, people, rooms, stories }: SearchAnswer): FoundGroup[] {
  const ofRooms = (kind: 'rooms' | 'stories', { found, nextBefore }: SearchAnswer['rooms']): FoundGroup => ({
    kind,
    name: kindNames[kind],
    nextBefore,
    things: found.map(({ id, name, line, isPublic }) => ({
      id,
      href: roomLink({ id, isPublic, isActive: kind === 'rooms' }),
      title: name,
      line,
    })),
  })
  return [
    {
      kind: 'posts' as const,
      name: kindNames.posts,
      nextBefore: posts.nextBefore,
      things: posts.found.map(({ id, title, line, authorName, publishedAt }) => ({
        id,
        href: postPath(id),
        ...(title === null ? { title: plain(authorName) } : { title, author: authorName }),
        line,
        publishedAt,
      })),
    },
    {
      kind: 'people' as const,
      name: kindNames.people,
      nextBefore: null,
      things: people.found.map(({ id, name, introduction }) => ({
        id,
        href: personPath(id),
        title: name,
        line: plain(introduction.split('\n', 1)[0]!),
      })),
    },
    ofRooms('rooms', rooms),
    ofRooms('stories', stories),
  ].filter(({ things, nextBefore }) => things.length > 0 || nextBefore !== null)
}
