import { ArrowLeft } from 'lucide-react'
import { useState } from 'react'
import {
  getOwnPost,
  getPostVersion,
  type ListedPostVersion,
  listPostVersions,
} from '#contract/feed/own/endpoints.ts'
import { cut } from '#contract/text.ts'
import { sentenceOf, useEndpoint } from '#web/lib/api.ts'
import { OwnTime } from '#web/lib/Time.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { NotReady } from '#web/ui/NotReady.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { useToast } from '#web/ui/toasts.tsx'
import { TextDifference } from './text-difference-part.tsx'
import { useChangePost } from './use-own-posts.tsx'

interface VersionsDialogProps {
  postId: string
  onClose: () => void
}

const beginningLength = 120

/** The earlier texts of an own post. One of them is compared with the current text, and can be restored. */
export function VersionsDialog({ postId, onClose }: VersionsDialogProps) {
  const params = { id: postId }
  // The dialog shows what is stored now, not what was read before an edit.
  const versions = useEndpoint(listPostVersions, { params, staleTime: 0 })
  const [shown, setShown] = useState<ListedPostVersion | null>(null)
  if (shown !== null)
    return <OneVersion postId={postId} version={shown} onBack={() => setShown(null)} onClose={onClose} />
  return (
    <Dialog title="Versions" description="Only you see the earlier texts of this post." onClose={onClose}>
      <NotReady of={versions} what="The versions" waiting={<Skeleton className="h-24 w-full" />} />
      {versions.data?.length === 0 && <p className="text-sm">This post has no earlier text yet.</p>}
      <ul aria-label="Earlier texts" className="flex flex-col divide-y divide-line empty:hidden">
        {versions.data?.map((version) => (
          <li key={version.id}>
            <button
              type="button"
              onClick={() => setShown(version)}
              className="flex w-full flex-col gap-1 rounded-md px-2 py-3 text-start hover:bg-sunk"
            >
              <span dir="auto" className="w-full font-serif wrap-anywhere">
                {cut(version.beginning.trim(), beginningLength)}
              </span>
              <span className="text-xs text-ink-soft">
                Written <OwnTime at={version.writtenAt} />
                {version.wasPublished ? ', published' : ', not published'}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </Dialog>
  )
}

interface OneVersionProps extends VersionsDialogProps {
  version: ListedPostVersion
  onBack: () => void
}

function OneVersion({ postId, version, onBack, onClose }: OneVersionProps) {
  const earlier = useEndpoint(getPostVersion, { params: { id: postId, versionId: version.id } })
  const current = useEndpoint(getOwnPost, { params: { id: postId }, staleTime: 0 })
  const changing = useChangePost()
  const toast = useToast()
  const restore = async () => {
    if (earlier.status !== 'ready' || current.status !== 'ready') return
    const input = { content: earlier.data.content, base: current.data.updatedAt }
    const changed = await changing.attempt({ params: { id: postId }, input })
    if (changed === undefined) return current.refetch()
    onClose()
    toast({
      title:
        changed.status === 'published' ? 'The earlier text is back' : 'The earlier text waits for review',
    })
  }
  return (
    <Dialog
      title="Earlier text"
      description={
        <>
          Written <OwnTime at={version.writtenAt} />. What the current text no longer has is struck through,
          and what it has beside it is underlined.
        </>
      }
      size="large"
      onClose={onClose}
      footer={
        <>
          <Button variant="quiet" onClick={onBack}>
            <ArrowLeft aria-hidden className="size-4 rtl:-scale-x-100" />
            All versions
          </Button>
          <Button
            busy={changing.status === 'running'}
            disabled={earlier.status !== 'ready' || current.status !== 'ready'}
            onClick={() => void restore()}
          >
            Restore this text
          </Button>
        </>
      }
    >
      {changing.error && (
        <p role="alert" className="mb-4 text-sm text-bad">
          {sentenceOf(changing.error, 'The text could not be restored. Please try again.')}
        </p>
      )}
      <NotReady of={earlier} what="This version" waiting={<Skeleton className="h-40 w-full" />} />
      {earlier.status === 'ready' && (
        <NotReady of={current} what="The current text" waiting={<Skeleton className="h-40 w-full" />} />
      )}
      {earlier.status === 'ready' && current.status === 'ready' && (
        <TextDifference before={earlier.data.content} after={current.data.content} />
      )}
    </Dialog>
  )
}
