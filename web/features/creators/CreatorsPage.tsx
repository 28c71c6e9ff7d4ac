import { Tags } from 'lucide-react'
import { useState } from 'react'
import type { Creator } from '#contract/creators/creator.ts'
import { useSession } from '#web/features/account/index.ts'
import { markOpened } from '#web/features/follows/index.ts'
import { usePageTitle } from '#web/lib/page-title.ts'
import { Badge } from '#web/ui/Badge.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Wordmark } from '#web/ui/Wordmark.tsx'
import { nearPart } from '#web/ui/near-part.tsx'
import { failedDialog, failedLine, part } from '#web/ui/part.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { CreatorSection } from './CreatorSection.tsx'
import { sections } from './sections.ts'
import { Showcase } from './Showcase.tsx'
import { useCategories } from './use-categories.ts'

export function CreatorsPage() {
  usePageTitle('Z!mmer Profiles')
  const { user, isAdmin } = useSession()
  const { creators, assign } = useCategories()
  const [opened, setOpened] = useState<Creator | null>(null)
  const [isManaging, setIsManaging] = useState(false)
  const owner = user?.id ?? 'visitor'

  const open = (creator: Creator) => {
    markOpened(creator.id)
    setOpened(creator)
  }
  return (
    <div className="flex flex-col gap-8">
      <header>
        <div className="flex min-h-11 items-center justify-between gap-4">
          <h1 className="text-2xl">
            <Wordmark /> Profiles
          </h1>
          {isAdmin && (
            <Button variant="quiet" onClick={() => setIsManaging(true)}>
              <Tags aria-hidden className="size-4" />
              <span className="max-sm:sr-only">Manage Categories</span>
            </Button>
          )}
        </div>
        <p className="mt-1 text-sm text-ink-soft">
          <Badge tone="outline">Sample profiles</Badge> These people are invented, and their pieces were
          written for this page.
        </p>
      </header>
      <Showcase
        key={owner}
        owner={owner}
        onOpen={(id) => open(creators.find((creator) => creator.id === id)!)}
      />
      {sections.map(({ category, title }) => (
        <CreatorSection
          key={category}
          title={title}
          isRoyal={category === 'könig'}
          creators={creators.filter((creator) => creator.category === category)}
          onOpen={open}
        />
      ))}
      <MoreList creators={creators} onOpen={open} />
      {opened && <PortfolioDialog creator={opened} onClose={() => setOpened(null)} />}
      {isManaging && (
        <ManageCategoriesDialog creators={creators} assign={assign} onClose={() => setIsManaging(false)} />
      )}
    </div>
  )
}

const MoreList = nearPart(
  async () => (await import('./MoreList.tsx')).MoreList,
  failedLine,
  () => <Skeleton className="h-[331rem] sm:h-[246rem]" />,
)
const PortfolioDialog = part(
  async () => (await import('./PortfolioDialog.tsx')).PortfolioDialog,
  failedDialog,
)
const ManageCategoriesDialog = part(
  async () => (await import('./ManageCategoriesDialog.tsx')).ManageCategoriesDialog,
  failedDialog,
)
