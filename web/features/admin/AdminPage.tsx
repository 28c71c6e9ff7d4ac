import {
  DoorOpen,
  FilePlus,
  Flag,
  Gauge,
  Landmark,
  ListChecks,
  type LucideIcon,
  MailX,
  RefreshCw,
  ScrollText,
  Sparkles,
  Webhook,
} from 'lucide-react'
import { type ComponentType, useState } from 'react'
import { Link, useSearchParams } from 'wouter'
import { countWaiting } from '#contract/admin/endpoints.ts'
import { loadInstanceForm } from '#web/features/instance/index.ts'
import { loadSignUps } from '#web/features/registration/index.ts'
import { useEndpoint } from '#web/lib/api.ts'
import { useAppConfig } from '#web/lib/app-config.tsx'
import { usePageTitle } from '#web/lib/page-title.ts'
import { Badge } from '#web/ui/Badge.tsx'
import { Button, buttonClass } from '#web/ui/Button.tsx'
import { failedDialog, failedLine, part } from '#web/ui/part.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { Tabs } from '#web/ui/Tabs.tsx'
import { useRefreshPosts } from './api.ts'
import { StatCards } from './StatCards.tsx'

const tab = (load: () => Promise<ComponentType>) =>
  part(load, failedLine, () => <Skeleton className="h-96" />)
const ReportList = tab(async () => (await import('./ReportList.tsx')).ReportList)
const PostManager = tab(async () => (await import('./PostManager.tsx')).PostManager)
const CreateContent = tab(async () => (await import('./CreateContent.tsx')).CreateContent)
const AllPosts = tab(async () => (await import('./AllPosts.tsx')).AllPosts)
const UserManagement = tab(async () => (await import('./UserManagement.tsx')).UserManagement)
const Analytics = tab(async () => (await import('./Analytics.tsx')).Analytics)
const Allowances = tab(async () => (await import('./Allowances.tsx')).Allowances)
const InstanceForm = tab(loadInstanceForm)
const SignUps = tab(loadSignUps)
const AuditLog = tab(async () => (await import('./AuditLog.tsx')).AuditLog)
const UnsentMails = tab(async () => (await import('./UnsentMails.tsx')).UnsentMails)
const Webhooks = tab(async () => (await import('./Webhooks.tsx')).Webhooks)
const GenerateDialog = part(async () => (await import('./GenerateDialog.tsx')).GenerateDialog, failedDialog)

interface Tab {
  value: string
  label: string
  Content: ComponentType
}

const tabs = [
  { value: 'post-manager', label: 'Post Manager', Content: PostManager },
  { value: 'create-content', label: 'Create Content', Content: CreateContent },
  { value: 'all-posts', label: 'All Posts', Content: AllPosts },
  { value: 'user-management', label: 'User Management', Content: UserManagement },
  { value: 'analytics', label: 'Analytics', Content: Analytics },
] as const satisfies readonly Tab[]

interface SubPage {
  part: string
  title: string
  label?: string
  icon: LucideIcon
  /** What waits there for an admin. */
  counts?: 'reports' | 'signUps'
  Content: ComponentType
}

const subPages: readonly SubPage[] = [
  { part: 'reports', title: 'Reports of readers', icon: Flag, counts: 'reports', Content: ReportList },
  {
    part: 'mails',
    title: 'Mails that could not be sent',
    label: 'Unsent mails',
    icon: MailX,
    Content: UnsentMails,
  },
  { part: 'limits', title: 'Limits by address', icon: Gauge, Content: Allowances },
  { part: 'log', title: 'Audit log', icon: ScrollText, Content: AuditLog },
  { part: 'webhooks', title: 'Webhooks', icon: Webhook, Content: Webhooks },
  { part: 'sign-ups', title: 'Sign-ups', icon: DoorOpen, counts: 'signUps', Content: SignUps },
  { part: 'instance', title: 'Instance', icon: Landmark, Content: InstanceForm },
]

export function AdminPage() {
  usePageTitle('Admin Panel')
  const { sendsMail } = useAppConfig()
  const [search, setSearch] = useSearchParams()
  const { value, Content }: Tab = tabs.find((each) => each.value === search.get('part')) ?? tabs[0]
  const open = (tab: string) => setSearch({ part: tab }, { replace: true })
  const subPage = subPages.find(({ part }) => part === search.get('part'))
  const waiting = useEndpoint(countWaiting).data ?? { reports: 0, signUps: 0 }
  if (subPage) return <OpenSubPage {...subPage} />
  return (
    <div className="flex flex-col gap-3 sm:gap-6">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h1 className="text-2xl">Admin Panel</h1>
        {/* On a phone a row that scrolls, like the quick actions. */}
        <nav
          aria-label="Pages of the admin"
          className="-mx-3 flex gap-3 overflow-x-auto px-3 py-1 max-sm:w-[calc(100%+1.5rem)] sm:m-0 sm:flex-wrap sm:justify-end sm:overflow-visible sm:p-0"
        >
          {subPages
            .filter(({ part }) => part !== 'mails' || sendsMail)
            .map(({ part, title, label = title, icon: Icon, counts }) => (
              <Link key={part} href={`/admin?part=${part}`} className={buttonClass('quiet', 'shrink-0')}>
                <Icon aria-hidden className="size-4" />
                {label}
                {counts && waiting[counts] > 0 && <Badge tone="lamp">{waiting[counts]}</Badge>}
              </Link>
            ))}
        </nav>
      </div>
      <StatCards />
      <QuickActions onOpen={open} />
      <Tabs label="Admin" tabs={tabs} value={value} onChange={open}>
        <Content />
      </Tabs>
    </div>
  )
}

const OpenSubPage = ({ title, Content }: SubPage) => (
  <div className="flex flex-col gap-6">
    <div className="flex flex-wrap items-center justify-between gap-3">
      <h1 className="text-2xl">{title}</h1>
      <Link href="/admin" className={buttonClass('quiet')}>
        ← Admin Panel
      </Link>
    </div>
    <Content />
  </div>
)

function QuickActions({ onOpen }: { onOpen: (tab: string) => void }) {
  const refresh = useRefreshPosts()
  const [isGenerating, setIsGenerating] = useState(false)
  const actions = [
    { label: 'Create article', icon: FilePlus, act: () => onOpen('create-content') },
    { label: 'Generate content', icon: Sparkles, act: () => setIsGenerating(true) },
    { label: 'Review pending', icon: ListChecks, act: () => onOpen('post-manager') },
    { label: 'Refresh all', icon: RefreshCw, act: () => void refresh() },
  ]
  return (
    // On a phone the buttons are one row that scrolls, so that the posts begin on the first screen.
    <section
      aria-label="Quick actions"
      className="-mx-3 flex gap-3 overflow-x-auto px-3 py-1 sm:mx-0 sm:flex-wrap sm:px-0"
    >
      {actions.map(({ label, icon: Icon, act }) => (
        <Button key={label} variant="quiet" className="shrink-0" onClick={act}>
          <Icon aria-hidden className="size-4" />
          {label}
        </Button>
      ))}
      {isGenerating && <GenerateDialog onClose={() => setIsGenerating(false)} />}
    </section>
  )
}
