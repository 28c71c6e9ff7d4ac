import { useEffect, useState } from 'react'
import { Link } from 'wouter'
import { listMoreByAuthor } from '#contract/feed/links/endpoints.ts'
import type { PublicPost } from '#contract/feed/post.ts'
import { getPerson } from '#contract/people/endpoints.ts'
import { personPath } from '#contract/people/paths.ts'
import { isBlank } from '#contract/text.ts'
import { useEndpoint } from '#web/lib/api.ts'
import { ArticleLink, articleLinkClass } from './ArticleLink.tsx'

const longestWaitMs = 1000

/**
 * Further texts of the author of an article, and who the author is, when the article leads to the page of the author.
 * What comes within a second is `above` the comments, which wait for it while `isAwaited`. What comes later is `below` them,
 * so that nothing moves.
 */
export function useAuthorOf({ id, authorId, authorHasPage, authorName }: PublicPost) {
  const personId = authorHasPage ? authorId : null
  const enabled = personId !== null
  const more = useEndpoint(listMoreByAuthor, { params: { id }, enabled })
  const person = useEndpoint(getPerson, { params: { id: personId ?? '' }, enabled })
  const isMoreLate = useIsLate(enabled && more.status === 'loading')
  const isPersonLate = useIsLate(enabled && person.status === 'loading')
  const texts = personId !== null && more.status !== 'loading' && (
    <section aria-label={`More by ${authorName}`} className="flex flex-col gap-2 border-t border-line pt-6">
      {more.data !== undefined && more.data.length > 0 && (
        <>
          <h2 dir="auto" className="text-xl wrap-anywhere">
            More by {authorName}
          </h2>
          <ul className="flex flex-col gap-2">
            {more.data.map((post) => (
              <li key={post.id}>
                <ArticleLink id={post.id}>{post.title}</ArticleLink>
              </li>
            ))}
          </ul>
        </>
      )}
      <Link href={personPath(personId)} className={`${articleLinkClass} w-fit`}>
        All posts by this author
      </Link>
    </section>
  )
  const about = person.status === 'ready' && !isBlank(person.data.introduction) && (
    <section aria-labelledby="about-author" className="border-t border-line pt-6">
      <h2 id="about-author" dir="auto" className="text-xl wrap-anywhere">
        About {person.data.name}
      </h2>
      <p dir="auto" className="mt-2 line-clamp-6 whitespace-pre-wrap wrap-anywhere">
        {person.data.introduction}
      </p>
    </section>
  )
  return {
    above: (
      <>
        {!isMoreLate && texts}
        {!isPersonLate && about}
      </>
    ),
    below: (
      <>
        {isMoreLate && texts}
        {isPersonLate && about}
      </>
    ),
    isAwaited:
      enabled &&
      ((more.status === 'loading' && !isMoreLate) || (person.status === 'loading' && !isPersonLate)),
  }
}

/** Whether something has been loading for longer than the comments wait for it. Stays true when it comes. */
function useIsLate(isLoading: boolean) {
  const [isLate, setIsLate] = useState(false)
  useEffect(() => {
    if (!isLoading) return
    const timer = setTimeout(() => setIsLate(true), longestWaitMs)
    return () => clearTimeout(timer)
  }, [isLoading])
  return isLate
}
