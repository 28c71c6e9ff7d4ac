import {
  FilePlus,
  Flag,
  Gauge,
  Landmark,
  ListChecks,
  MailX,
  RefreshCw,
  ScrollText,
  Sparkles,
} from 'lucide-react'
import { type ComponentType, type ReactNode, useState } from 'react'
import { Link, useSearchParams } from 'wouter'
import { loadInstanceForm } from '#web/features/instance/index.ts'
import { useAppConfig } from '#web/lib/app-config.tsx'
import { usePageTitle } from '#web/lib/page-title.ts'
import { Button, buttonClass } from '#web/ui/Button.tsx'
import { failedDialog, failedLine, part } from '#web/ui/part.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { Tabs } from '#web/ui/Tabs.tsx'
import { useRefreshPosts } from './api.ts'
import { ReportList } from './ReportList.tsx'
import { StatCards } from './StatCards.tsx'

const tab = (load: () => Promise<ComponentType>) =>
  part(load, failedLine, () => <Skeleton className="h-96" />)
const PostManager = tab(async () => (await import('./PostManager.tsx')).PostManager)
const CreateContent = tab(async () => (await import('./CreateContent.tsx')).CreateContent)
const AllPosts = tab(async () => (await import('./AllPosts.tsx')).AllPosts)
const UserManagement = tab(async () => (await import('./UserManagement.tsx')).UserManagement)
const Analytics = tab(async () => (await import('./Analytics.tsx')).Analytics)
const Allowances = tab(async () => (await import('./Allowances.tsx')).Allowances)
const InstanceForm = tab(loadInstanceForm)
const AuditLog = tab(async () => (await import('./AuditLog.tsx')).AuditLog)
const UnsentMails = tab(async () => (await import('./UnsentMails.tsx')).UnsentMails)
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

export function AdminPage() {
  usePageTitle('Admin Panel')
  const { sendsMail } = useAppConfig()
  const [search, setSearch] = useSearchParams()
  const { value, Content }: Tab = tabs.find((each) => each.value === search.get('part')) ?? tabs[0]
  const open = (tab: string) => setSearch({ part: tab }, { replace: true })
  if (search.get('part') === 'log') return <SubPage title="Audit log" content={<AuditLog />} />
  if (search.get('part') === 'reports') return <SubPage title="Reports of readers" content={<ReportList />} />
  if (search.get('part') === 'instance') return <SubPage title="Instance" content={<InstanceForm />} />
  if (search.get('part') === 'mails')
    return <SubPage title="Mails that could not be sent" content={<UnsentMails />} />
  if (search.get('part') === 'limits') return <SubPage title="Limits by address" content={<Allowances />} />
  return (
    <div className="flex flex-col gap-3 sm:gap-6">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h1 className="text-2xl">Admin Panel</h1>
        {/* On a phone a row that scrolls, like the quick actions. */}
        <nav
          aria-label="Pages of the admin"
          className="-mx-3 flex gap-3 overflow-x-auto px-3 py-1 max-sm:w-[calc(100%+1.5rem)] sm:m-0 sm:flex-wrap sm:justify-end sm:overflow-visible sm:p-0"
        >
          <Link href="/admin?part=reports" className={buttonClass('quiet', 'shrink-0')}>
            <Flag aria-hidden className="size-4" />
            Reports of readers
          </Link>
          {sendsMail && (
            <Link href="/admin?part=mails" className={buttonClass('quiet', 'shrink-0')}>
              <MailX aria-hidden className="size-4" />
              Unsent mails
            </Link>
          )}
          <Link href="/admin?part=limits" className={buttonClass('quiet', 'shrink-0')}>
            <Gauge aria-hidden className="size-4" />
            Limits by address
          </Link>
          <Link href="/admin?part=log" className={buttonClass('quiet', 'shrink-0')}>
            <ScrollText aria-hidden className="size-4" />
            Audit log
          </Link>
          <Link href="/admin?part=instance" className={buttonClass('quiet', 'shrink-0')}>
            <Landmark aria-hidden className="size-4" />
            Instance
          </Link>
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

const SubPage = ({ title, content }: { title: string; content: ReactNode }) => (
  <div className="flex flex-col gap-6">
    <div className="flex flex-wrap items-center justify-between gap-3">
      <h1 className="text-2xl">{title}</h1>
      <Link href="/admin" className={buttonClass('quiet')}>
        ← Admin Panel
      </Link>
    </div>
    {content}
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
