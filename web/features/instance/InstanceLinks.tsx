import { Link } from 'wouter'
import { getConfig } from '#contract/app/endpoints.ts'
import { instancePagePath, instancePageTitles } from '#contract/instance/pages.ts'
import { useEndpoint } from '#web/lib/api.ts'
import { useAppConfig } from '#web/lib/app-config.tsx'
import { useInterval } from '#web/lib/interval.ts'
import { buttonClass } from '#web/ui/Button.tsx'

const readAgainMs = 60_000

/**
 * In the footer: the pages of the instance that have a text. It also reads the settings of the page again each minute, so that
 * a new announcement comes to an open page.
 */
export function InstanceLinks() {
  const { instance } = useAppConfig()
  const config = useEndpoint(getConfig)
  useInterval(readAgainMs, config.refetch)
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
