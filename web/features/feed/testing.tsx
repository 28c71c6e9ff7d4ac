import { QueryClientProvider } from '@tanstack/react-query'
import { render } from '@testing-library/react'
import type { ReactNode } from 'react'
import { type AppConfig, getConfig } from '#contract/app/endpoints.ts'
import type { Post } from '#contract/feed/post.ts'
import { DetailsProvider } from '#web/features/details/index.ts'
import { keyOf } from '#web/lib/api.ts'
import { createQueryClient } from '#web/lib/query-client.ts'
import { AlertsProvider } from '#web/ui/alerts.tsx'
import { ToastsProvider } from '#web/ui/toasts.tsx'

const config: AppConfig = {
  timeZone: 'Europe/Berlin',
  today: '2025-06-10',
  supportEmail: 'help@example.org',
  companyName: 'Z!mmer',
  submissionPortal: 'https://submissions.example.org/',
  demoMode: false,
}

let count = 0

export const aPost = (more: Partial<Post> = {}): Post => ({
  id: `01900000-0000-7000-8000-${String(++count).padStart(12, '0')}`,
  content: `Post ${count}`,
  authorName: 'Ana Lima',
  authorId: null,
  postType: 'standard',
  isVisible: true,
  imageUrl: null,
  createdAt: '2025-06-10T08:00:00.000Z',
  publishedAt: '2025-06-10T09:00:00.000Z',
  likeCount: 0,
  shareCount: 0,
  commentCount: 0,
  sortOrder: 0,
  ...more,
})

export interface Sent {
  method: string
  path: string
  body: unknown
  key: string | null
}

interface Answer {
  status?: number
  body?: unknown
  headers?: Record<string, string>
}

/** A server of one test: answers by path; what was sent is kept. */
export function serve(answers: Record<string, (sent: Sent) => Answer | 'away'>) {
  const sent: Sent[] = []
  globalThis.fetch = async (path, init = {}) => {
    const headers = new Headers(init.headers)
    const request: Sent = {
      method: init.method ?? 'GET',
      path: path as string,
      body: typeof init.body === 'string' ? (JSON.parse(init.body) as unknown) : undefined,
      key: headers.get('idempotency-key'),
    }
    sent.push(request)
    const answer = answers[`${request.method} ${request.path}`]?.(request) ?? { status: 404, body: {} }
    if (answer === 'away') throw new TypeError('Failed to fetch')
    const { status = 200, body = {}, headers: told = {} } = answer
    return new Response(JSON.stringify(body), { status, headers: told })
  }
  return sent
}

/** Shows a page as the house does, with the settings it came with. */
export function show(page: ReactNode, address = '/dashboard') {
  history.replaceState(null, '', address)
  const client = createQueryClient()
  client.setQueryData(keyOf(getConfig), config)
  return render(
    <QueryClientProvider client={client}>
      <AlertsProvider>
        <ToastsProvider>
          <DetailsProvider>{page}</DetailsProvider>
        </ToastsProvider>
      </AlertsProvider>
    </QueryClientProvider>,
  )
}
