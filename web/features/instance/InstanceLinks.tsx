import { Link } from 'wouter'
import { instancePagePath, instancePageTitles } from '#contract/instance/pages.ts'
import { useAppConfig } from '#web/lib/app-config.tsx'
import { buttonClass } from '#web/ui/Button.tsx'

/** In the footer: the pages of the instance that have a text. */
export function InstanceLinks() {
  const { instance } = useAppConfig()
  if (!instance?.pages.length) return null
  return (
    <nav aria-label="About this instance" className="flex flex-wrap justify-center gap-x-4">
      {instance.pages.map((page) => (
        <Link key={page} href={instancePagePath(page)} className={buttonClass('link', 'text-xs')}>
          {instancePageTitles[page]}
        </Link>
      ))}
    </nav>
  )
}
