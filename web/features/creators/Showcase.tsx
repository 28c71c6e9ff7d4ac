import { ArrowLeft, ArrowRight, Heart, MessageCircle } from 'lucide-react'
import { type KeyboardEvent, type PointerEvent, useEffect, useId, useRef, useState } from 'react'
import type { ShowcaseItem } from '#contract/creators/showcase.ts'
import { useAreKeysAwaited, useSession } from '#web/features/account/index.ts'
import { PaymentButton, premiumOf } from '#web/features/tips/index.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { Badge } from '#web/ui/Badge.tsx'
import { Button } from '#web/ui/Button.tsx'
import { cx } from '#web/ui/cx.ts'
import { Piece } from './Piece.tsx'
import { useShowcase } from './use-showcase.ts'

type Side = 'left' | 'right'

const slideMs = 300
const swipePx = 80
const startPx = 10

interface ShowcaseProps {
  /** The person whose likes are shown. */
  owner: string
  onOpen: (creatorId: string) => void
}

/** A stack of pieces to read one after another: Pass and Approve both lead to the next one. */
export function Showcase({ owner, onOpen }: ShowcaseProps) {
  const id = useId()
  const { items, toggleLike } = useShowcase(owner)
  const { state } = useSession()
  const areLikesAwaited = useAreKeysAwaited() || state === 'unknown'
  const { at, leaving, leave } = useStack(items.length)
  const item = items[at]!
  const supported = { id: item.creatorId, name: item.creatorName, category: item.category }

  const press = (event: KeyboardEvent) => {
    const side = ({ ArrowLeft: 'left', ArrowRight: 'right' } as const)[event.key]
    if (side === undefined || event.ctrlKey || event.metaKey || event.altKey) return
    // React also delivers key events of dialogs that a button opened. They are outside this section on the page.
    if (!event.currentTarget.contains(event.target as Element)) return
    event.preventDefault()
    leave(side)
  }
  return (
    <section aria-labelledby={id} onKeyDown={press} className="mx-auto w-full max-w-xl">
      <h2 id={id} className="sr-only">
        Showcase
      </h2>
      {/* All cards lie in one cell, which is as high as the longest piece: nothing below moves. */}
      <div className="-mx-4 grid grid-cols-1 overflow-x-clip px-4 pt-1 pb-7">
        {items.map((piece, index) => (
          <Card
            key={piece.id}
            item={piece}
            place={placeOf(index, at, items.length)}
            leaving={index === at ? leaving : null}
            onSwipe={leave}
            onOpen={onOpen}
          />
        ))}
      </div>
      <span className="sr-only">
        <output>
          {item.title} by {item.creatorName}, {at + 1} of {items.length}
        </output>
      </span>
      {/* The arrow keys and the swipes name sides of the window. */}
      <div dir="ltr" className="grid grid-cols-2 gap-2 sm:flex sm:justify-between">
        <Button variant="quiet" className="sm:order-1" onClick={() => leave('left')}>
          <ArrowLeft aria-hidden className="size-4" />
          Pass
        </Button>
        <Button className="sm:order-4" onClick={() => leave('right')}>
          Approve
          <ArrowRight aria-hidden className="size-4" />
        </Button>
        <Button
          variant="quiet"
          className="sm:order-2"
          aria-pressed={item.isLiked}
          disabled={areLikesAwaited}
          onClick={() => toggleLike(item)}
        >
          <Heart aria-hidden className={cx('size-4', item.isLiked && 'fill-lamp text-lamp')} />
          <span className="sr-only">Like</span>
          {item.likes}
        </Button>
        <PaymentButton creator={supported} payment={premiumOf(supported)} className="sm:order-3">
          <MessageCircle aria-hidden className="size-4" />
          Message
          <span className="sr-only">{item.creatorName}</span>
        </PaymentButton>
      </div>
      <p className="mt-2 text-center text-xs text-ink-soft">
        <span className="pointer-coarse:hidden">The arrow keys pass and approve as well.</span>
        <span className="hidden pointer-coarse:inline">You can swipe the card as well.</span>
      </p>
    </section>
  )
}

/** Which card is on top, and to which side it is leaving. */
function useStack(length: number) {
  const [{ at, leaving }, setStack] = useState<{ at: number; leaving: Side | null }>({ at: 0, leaving: null })
  useEffect(() => {
    if (leaving === null) return
    const advancing = setTimeout(
      () => setStack({ at: (at + 1) % length, leaving: null }),
      prefersStillness() ? 0 : slideMs,
    )
    return () => clearTimeout(advancing)
  }, [at, leaving, length])
  // A reader who presses again while a card slides away acts on the next card.
  const leave = (side: Side) =>
    setStack((stack) => ({
      at: stack.leaving === null ? stack.at : (stack.at + 1) % length,
      leaving: side,
    }))
  return { at, leaving, leave }
}

type Place = 'top' | 'next' | 'hidden'

const placeOf = (index: number, at: number, length: number): Place =>
  index === at ? 'top' : index === (at + 1) % length ? 'next' : 'hidden'

interface CardProps {
  item: ShowcaseItem
  place: Place
  leaving: Side | null
  onSwipe: (side: Side) => void
  onOpen: (creatorId: string) => void
}

function Card({ item, place, leaving, onSwipe, onOpen }: CardProps) {
  const swipe = useSwipe(onSwipe)
  return (
    <article
      {...(place === 'top' && swipe)}
      aria-hidden={place !== 'top'}
      inert={place !== 'top'}
      className={cx(
        'col-start-1 row-start-1 flex touch-pan-y flex-col rounded-lg border border-line bg-surface p-5 shadow-float transition-[translate,rotate,scale,opacity] duration-300 ease-out sm:p-7',
        places[place],
        leaving && leavings[leaving],
      )}
    >
      <header className="flex items-center gap-3 huge:flex-wrap">
        <Avatar name={item.creatorName} />
        <div className="min-w-0 flex-1 huge:basis-full">
          <button
            type="button"
            onClick={() => onOpen(item.creatorId)}
            className="touch block max-w-full truncate text-start font-serif font-semibold hover:text-lamp"
          >
            {item.creatorName}
          </button>
          <p className="truncate text-sm text-ink-soft">{item.category}</p>
        </div>
        <Badge>{item.type}</Badge>
      </header>
      <h3 className="mt-5 mb-3 text-xl font-semibold">{item.title}</h3>
      <Piece content={item.content} isVerse={item.type === 'poetry'} />
    </article>
  )
}

const places: Record<Place, string> = {
  top: 'z-20',
  next: 'z-10 translate-y-4 scale-95',
  hidden: 'invisible translate-y-4 scale-95',
}

const leavings: Record<Side, string> = {
  left: '-translate-x-[110%] -rotate-6 opacity-0',
  right: 'translate-x-[110%] rotate-6 opacity-0',
}

/** Moves the card with the finger. A mouse selects text instead. */
function useSwipe(onSwipe: (side: Side) => void) {
  const start = useRef<{ x: number; y: number } | null>(null)

  const moved = ({ clientX, clientY }: PointerEvent) => {
    if (start.current === null) return 0
    const [x, y] = [clientX - start.current.x, clientY - start.current.y]
    return Math.abs(x) > Math.max(startPx, Math.abs(y)) ? x : 0
  }
  const end = ({ currentTarget: { style } }: PointerEvent<HTMLElement>) => {
    start.current = null
    style.translate = style.rotate = style.transitionDuration = ''
  }
  return {
    onPointerDown: ({ pointerType, clientX, clientY }: PointerEvent) => {
      start.current = pointerType === 'mouse' ? null : { x: clientX, y: clientY }
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      const x = moved(event)
      if (x === 0) return
      const { style } = event.currentTarget
      style.transitionDuration = '0s'
      style.translate = `${x}px`
      style.rotate = `${x / 40}deg`
    },
    onPointerUp: (event: PointerEvent<HTMLElement>) => {
      const x = moved(event)
      end(event)
      if (Math.abs(x) > swipePx) onSwipe(x < 0 ? 'left' : 'right')
    },
    onPointerCancel: end,
  }
}

const prefersStillness = () => matchMedia('(prefers-reduced-motion: reduce)').matches
