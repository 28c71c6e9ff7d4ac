import { Star } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { Creator, Portfolio } from '#contract/creators/creator.ts'
import { FollowButton } from '#web/features/follows/index.ts'
import { PaymentButton, premiumOf, tipOf } from '#web/features/tips/index.ts'
import { Badge } from '#web/ui/Badge.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { Tabs } from '#web/ui/Tabs.tsx'
import { CreatorAvatar } from './CreatorAvatar.tsx'
import { useFollowers } from './CreatorCard.tsx'
import { CreatorCover } from './CreatorCover.tsx'
import { Piece } from './Piece.tsx'
import { withPortfolio } from './portfolios.ts'
import { SampleBadge } from './SampleBadge.tsx'
import { VerifiedBadge } from './VerifiedBadge.tsx'

const tabs = [
  { value: 'portfolio', label: 'Portfolio' },
  { value: 'about', label: 'About' },
  { value: 'reviews', label: 'Reviews' },
] as const

export function PortfolioDialog({ creator, onClose }: { creator: Creator; onClose: () => void }) {
  const [tab, setTab] = useState<(typeof tabs)[number]['value']>('portfolio')
  const { portfolio } = withPortfolio(creator)
  const followers = useFollowers(creator)
  const supported = { id: creator.id, name: creator.name, category: creator.genre }
  return (
    <Dialog
      title={creator.name}
      description={creator.artistName}
      onClose={onClose}
      footer={
        <>
          <FollowButton id={creator.id} name={creator.name} />
          <PaymentButton creator={supported} payment={tipOf(supported)}>
            Tip $5
          </PaymentButton>
          <PaymentButton creator={supported} payment={premiumOf(supported)} variant="primary">
            Message with Premium
          </PaymentButton>
        </>
      }
    >
      <CreatorCover creator={creator} className="h-28 w-full rounded-lg" />
      <div className="-mt-8 flex items-end gap-2 px-3">
        <CreatorAvatar creator={creator} className="size-16" />
        {creator.isVerified && <VerifiedBadge />}
        <SampleBadge />
      </div>
      <dl className="my-4 grid grid-cols-3 gap-2 text-center">
        <Stat name="Followers" value={followers.toLocaleString('en-US')} />
        <Stat name="Likes" value={creator.likes.toLocaleString('en-US')} />
        <Stat name="Availability" value={availabilityOf(portfolio)} />
      </dl>
      <Tabs label={`About ${creator.name}`} tabs={tabs} value={tab} onChange={setTab}>
        <div className="sm:min-h-64">
          {tab === 'portfolio' && <Pieces portfolio={portfolio} />}
          {tab === 'about' && <About creator={creator} portfolio={portfolio} />}
          {tab === 'reviews' && <Reviews portfolio={portfolio} />}
        </div>
      </Tabs>
    </Dialog>
  )
}

interface OfPortfolio {
  portfolio: Portfolio | undefined
}

const availabilityOf = (portfolio: Portfolio | undefined) =>
  portfolio ? { available: 'Available', busy: 'Busy' }[portfolio.availability] : 'Not stated'

function Pieces({ portfolio }: OfPortfolio) {
  if (!portfolio) return <Nothing text="Nothing is in this portfolio yet." />
  return (
    <div className="flex flex-col gap-8 py-2">
      {portfolio.samples.map(({ title, type, content }) => (
        <article key={title}>
          <div className="mb-2 flex flex-wrap items-center gap-x-3 gap-y-1">
            <h3 className="text-lg font-semibold">{title}</h3>
            <Badge>{type}</Badge>
          </div>
          <Piece content={content} isVerse={type === 'poetry'} />
        </article>
      ))}
    </div>
  )
}

function About({ creator, portfolio }: OfPortfolio & { creator: Creator }) {
  return (
    <>
      <p className="reading">{creator.description}</p>
      <dl className="mt-4 grid grid-cols-[auto_1fr] gap-x-4 gap-y-2 text-sm">
        <Fact name="Genre">{creator.genre}</Fact>
        <Fact name="Makes">{creator.contentTypes.join(', ')}</Fact>
        <Fact name="Tags">{creator.tags.join(', ')}</Fact>
        <Fact name="Keywords">{creator.keywords.join(', ')}</Fact>
        {portfolio && <Fact name="Skills">{portfolio.skills.join(', ')}</Fact>}
        {portfolio && <Fact name="Hourly rate">${portfolio.hourlyRate}</Fact>}
        <Fact name="Here since">
          <time dateTime={creator.joinedAt}>{monthOf(creator.joinedAt)}</time>
        </Fact>
      </dl>
    </>
  )
}

function Reviews({ portfolio }: OfPortfolio) {
  if (!portfolio) return <Nothing text="No reviews yet." />
  return (
    <ul className="flex flex-col gap-6 py-2">
      {portfolio.testimonials.map(({ client, review, rating }) => (
        <li key={client}>
          <p className="flex text-lamp">
            {Array.from({ length: 5 }, (_, star) => (
              <Star key={star} aria-hidden className={star < rating ? 'size-4 fill-current' : 'size-4'} />
            ))}
            <span className="sr-only">{rating} of 5 stars</span>
          </p>
          <p className="reading mt-1">{review}</p>
          <p className="mt-1 text-sm text-ink-soft">{client}</p>
        </li>
      ))}
    </ul>
  )
}

const Nothing = ({ text }: { text: string }) => <p className="py-4 font-serif text-ink-soft">{text}</p>

const Stat = ({ name, value }: { name: string; value: string }) => (
  <div className="flex flex-col-reverse rounded-md bg-sunk px-1 py-2">
    <dt className="text-xs text-ink-soft">{name}</dt>
    <dd className="font-serif text-lg font-semibold">{value}</dd>
  </div>
)

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div className="col-span-2 grid grid-cols-subgrid">
    <dt className="text-ink-soft">{name}</dt>
    <dd>{children}</dd>
  </div>
)

const monthOf = (day: string) =>
  new Date(day).toLocaleDateString('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' })
