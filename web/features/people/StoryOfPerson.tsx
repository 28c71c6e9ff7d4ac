import { Link } from 'wouter'
import type { PersonStory } from '#contract/people/endpoints.ts'
import { storyPath } from '#contract/rooms/paths.ts'
import { LongDate } from '#web/lib/Time.tsx'

/** A finished story that the person has signed, with the person's first passages. */
export function StoryOfPerson({
  story: { id, name, endedAt, passageCount, passages },
}: {
  story: PersonStory
}) {
  const more = passageCount - passages.length
  return (
    <article aria-label={name} className="flex flex-col gap-2">
      <h3 dir="auto" className="text-lg font-semibold wrap-anywhere">
        <Link href={storyPath(id)} className="touch hover:text-lamp">
          {name}
        </Link>
      </h3>
      <p className="flex flex-wrap gap-x-1.5 text-sm text-ink-soft">
        <span>{passageCount === 1 ? '1 passage' : `${passageCount} passages`}</span>
        <span aria-hidden>·</span>
        <LongDate at={endedAt} />
      </p>
      <div className="flex flex-col gap-3 border-s-2 border-line ps-4 font-serif">
        {passages.map((passage) => (
          <p
            key={passage.id}
            dir="auto"
            className="line-clamp-6 leading-relaxed whitespace-pre-wrap wrap-anywhere"
          >
            {passage.content}
          </p>
        ))}
        {more > 0 && (
          <p className="font-sans text-sm text-ink-soft">
            {more === 1 ? 'And 1 more passage in the story' : `And ${more} more passages in the story`}
          </p>
        )}
      </div>
    </article>
  )
}
