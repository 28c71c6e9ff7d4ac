import { type ReactNode, useRef } from 'react'
import { Link } from 'wouter'
import { olderTextsPath, type PersonList, personPath } from '#contract/people/paths.ts'
import type { ReadState } from '#web/lib/api.ts'
import type { Pages } from '#web/lib/pages.ts'
import { NotReady } from '#web/ui/NotReady.tsx'
import { ShowMore } from '#web/ui/ShowMore.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'

interface TextSectionProps<Text> {
  of: PersonList
  title: string
  personId: string
  texts: ReadState<Pages<Text>>
  /** The list does not begin with the newest text. */
  isOlder: boolean
  waitingClass: string
  itemClass: string
  children: (text: Text) => ReactNode
}

/** The posts or the stories of a person, page by page. */
export function TextSection<Text extends { id: string }>({
  of,
  title,
  personId,
  texts,
  isOlder,
  waitingClass,
  itemClass,
  children,
}: TextSectionProps<Text>) {
  const list = useRef<HTMLUListElement>(null)
  return (
    <section id={of} aria-labelledby={`${of}-title`} className="flex scroll-mt-16 flex-col gap-2">
      <h2 id={`${of}-title`} className="text-xl font-semibold">
        {title}
      </h2>
      {isOlder && (
        <Link
          href={personPath(personId)}
          className="touch self-start text-lamp underline-offset-4 hover:underline"
        >
          {`← Newest ${of}`}
        </Link>
      )}
      <NotReady of={texts} what={`The ${of}`} waiting={<Skeleton className={waitingClass} />} />
      {texts.status === 'ready' && (
        <>
          <ul ref={list} className="flex flex-col divide-y divide-line">
            {texts.data.items.map((text) => (
              <li key={text.id} className={itemClass}>
                {children(text)}
              </li>
            ))}
          </ul>
          <ShowMore
            of={texts.data}
            list={list}
            href={
              texts.data.nextBefore === null ? undefined : olderTextsPath(personId, of, texts.data.nextBefore)
            }
          />
        </>
      )}
    </section>
  )
}
