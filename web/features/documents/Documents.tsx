import { useQueryClient } from '@tanstack/react-query'
import { ArrowLeft } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { Link, useLocation, useSearch } from 'wouter'
import type { ListedDocument } from '#contract/documents/document.ts'
import { createDocument, deleteDocument, getDocument, listDocuments } from '#contract/documents/endpoints.ts'
import { codeOf, queryKeyOf, useAction, useEndpoint } from '#web/lib/api.ts'
import { removeFromPages, usePages } from '#web/lib/pages.ts'
import { send } from '#web/lib/request.ts'
import { LongDate, OwnTime } from '#web/lib/Time.tsx'
import { useConfirm } from '#web/ui/alerts.tsx'
import { Button, buttonClass } from '#web/ui/Button.tsx'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { ListNotReady } from '#web/ui/ListNotReady.tsx'
import { NotReady, Outdated } from '#web/ui/NotReady.tsx'
import { ShowMore } from '#web/ui/ShowMore.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { useToast } from '#web/ui/toasts.tsx'
import { useFocusBeside } from '#web/ui/use-focus-beside.ts'
import { WrittenText } from '#web/ui/WrittenText.tsx'

const listPath = '/writing?list=documents'
const documentPath = (id: string) => `${listPath}&document=${id}`

/** The texts that came by an import and are neither days nor drafts, or the one that the address names. */
export function Documents() {
  const id = new URLSearchParams(useSearch()).get('document')
  return id === null ? <DocumentList /> : <OneDocument key={id} id={id} />
}

function DocumentList() {
  const documents = usePages(listDocuments, { limit: '50' })
  const list = useRef<HTMLUListElement>(null)
  const remove = useRemoval()
  if (documents.status !== 'ready')
    return <ListNotReady of={documents} what="Your documents" count={3} each="h-16" />
  const { items } = documents.data
  if (items.length === 0)
    return (
      <EmptyState
        text="You have no documents. Texts that you import and that are neither days nor posts are kept here."
        action={
          <Link href="/settings#part-your-words" className={buttonClass('quiet')}>
            Import texts
          </Link>
        }
      />
    )
  return (
    <div className="flex flex-col gap-4">
      <Outdated of={documents} what="Your documents" />
      <ul ref={list} aria-label="Documents" className="flex flex-col divide-y divide-line">
        {items.map((document) => (
          <DocumentRow key={document.id} document={document} onRemove={() => void remove(document.id)} />
        ))}
      </ul>
      <ShowMore of={documents.data} list={list} />
    </div>
  )
}

function DocumentRow({ document, onRemove }: { document: ListedDocument; onRemove: () => void }) {
  const { id, title, source, wordCount, createdAt, addedAt } = document
  const row = useFocusBeside<HTMLLIElement>()
  return (
    <li ref={row} className="flex items-start gap-3 py-3">
      <div className="min-w-0 flex-1">
        <Link
          href={documentPath(id)}
          dir="auto"
          className="touch block font-serif text-lg wrap-anywhere hover:underline"
        >
          {title}
        </Link>
        <p className="text-xs text-ink-soft wrap-anywhere">
          <bdi>{source}</bdi>, {wordCount.toLocaleString('en-US')} {wordCount === 1 ? 'word' : 'words'},{' '}
          {createdAt !== null && (
            <>
              written <LongDate at={createdAt} />,{' '}
            </>
          )}
          imported <OwnTime at={addedAt} />
        </p>
      </div>
      <Button variant="quiet" aria-label={`Delete the document ${title}`} onClick={onRemove}>
        Delete
      </Button>
    </li>
  )
}

function OneDocument({ id }: { id: string }) {
  const document = useEndpoint(getDocument, { params: { id } })
  const title = useRef<HTMLHeadingElement>(null)
  const [, navigate] = useLocation()
  const remove = useRemoval()
  const isReady = document.status === 'ready'
  // The link that was pressed is gone.
  useEffect(() => {
    if (isReady) title.current?.focus()
  }, [isReady])
  return (
    <div className="flex flex-col items-start gap-4">
      <Link href={listPath} className={buttonClass('link', 'text-sm')}>
        <ArrowLeft aria-hidden className="size-4 rtl:-scale-x-100" />
        All documents
      </Link>
      <NotReady of={document} what="The document" waiting={<Skeleton className="h-64 w-full" />} />
      {isReady && (
        <article className="flex w-full flex-col gap-4">
          <h2 ref={title} tabIndex={-1} dir="auto" className="font-serif text-2xl outline-none wrap-anywhere">
            {document.data.title}
          </h2>
          <p className="text-sm text-ink-soft wrap-anywhere">
            From <bdi>{document.data.source}</bdi>
            {document.data.createdAt !== null && (
              <>
                , written <LongDate at={document.data.createdAt} />
              </>
            )}
          </p>
          <div dir="auto" className="reading whitespace-pre-wrap wrap-anywhere">
            <WrittenText text={withoutTitle(document.data)} titleAs="h3" titleClass="text-xl" />
          </div>
          <Button
            variant="quiet"
            className="self-start"
            onClick={() => void remove(id).then((isGone) => isGone && navigate(listPath))}
          >
            Delete<span className="sr-only"> the document {document.data.title}</span>
          </Button>
        </article>
      )}
    </div>
  )
}

/** The title of a post is also the first line of its text. */
const withoutTitle = ({ title, content }: { title: string; content: string }) =>
  content.startsWith(`${title}\n`) ? content.slice(title.length).trimStart() : content

/**
 * Deletes a document at once, and tells whether it is gone. The toast brings it back. A damaged document cannot be brought
 * back, so the person is asked first.
 */
function useRemoval() {
  const client = useQueryClient()
  const toast = useToast()
  const confirm = useConfirm()
  const { run: removeDocument } = useAction(deleteDocument)
  const { run: create } = useAction(createDocument, { refreshes: [listDocuments] })
  const failed = (what: string) => toast({ title: 'Error', description: what, tone: 'destructive' })
  return async (id: string): Promise<boolean> => {
    const params = { id }
    try {
      const document = await send(getDocument, { params }).catch((error: unknown) => {
        if (codeOf(error) !== 'DocumentDamaged') throw error
      })
      if (document === undefined && !(await confirm({ text: damaged, verb: 'Delete', danger: true })))
        return false
      await removeDocument({ params })
      removeFromPages(client, listDocuments, id)
      client.removeQueries({ queryKey: queryKeyOf(getDocument, { params }) })
      if (document === undefined) {
        toast({ title: 'Document deleted' })
        return true
      }
      const { addedAt: _, ...fields } = document
      const undo = () =>
        create({ input: fields }).catch(() =>
          failed('The document could not be brought back. Please try again.'),
        )
      toast({ title: 'Document deleted', action: { label: 'Undo', onPress: () => void undo() } })
      return true
    } catch {
      failed('The document could not be deleted. Please try again.')
      return false
    }
  }
}

const damaged = 'This document is damaged and cannot be read. Delete it? It cannot be brought back.'
