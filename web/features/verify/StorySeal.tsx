import { BadgeCheck } from 'lucide-react'
import { Link } from 'wouter'
import { pathOf } from '#contract/endpoint.ts'
import { getReceipt, getRoomSeal, getSealFingerprint } from '#contract/rooms/credit/endpoints.ts'
import { verifyPath } from '#contract/rooms/credit/paths.ts'
import { useEndpoint } from '#web/lib/api.ts'
import { downloadFile } from '#web/lib/download.ts'
import { Button, buttonClass } from '#web/ui/Button.tsx'

/** The fingerprint of the seal of a story, with the files that prove it. A writer of the story has a receipt. */
export function StorySeal({ roomId, isWriter }: { roomId: string; isWriter: boolean }) {
  const params = { id: roomId }
  const seal = useEndpoint(getSealFingerprint, { params })
  const fingerprint = seal.data?.fingerprint
  const receipt = useEndpoint(getReceipt, {
    params,
    enabled: isWriter && (seal.status === 'failed' || Boolean(fingerprint)),
    staleTime: 0,
  })
  // What this device has kept is there when the server does not give the receipt.
  const isKept = receipt.status === 'ready' && (seal.status === 'failed' || Boolean(receipt.refetchError))
  const keptReceipt = isKept && (
    <Button
      variant="link"
      onClick={() =>
        downloadFile(new Blob([JSON.stringify(receipt.data)], { type: 'application/json' }), 'receipt.json')
      }
    >
      Save your receipt from this device
    </Button>
  )
  if (seal.status !== 'ready')
    return keptReceipt && <p className="text-center text-sm print:hidden">{keptReceipt}</p>
  return (
    <section
      aria-label="Seal"
      className="flex flex-col items-center gap-2 text-center text-sm text-ink-soft print:break-inside-avoid"
    >
      {fingerprint === null ? (
        <p>This story has no proof: it is older than the seals of stories.</p>
      ) : (
        <>
          <p className="flex items-center gap-1.5">
            <BadgeCheck aria-hidden className="size-4 shrink-0" />
            <span>
              Seal <span className="font-mono">{fingerprint}</span>
            </span>
          </p>
          <p className="flex flex-wrap justify-center gap-x-4 gap-y-1 print:hidden">
            <a href={pathOf(getRoomSeal, { params })} download className={buttonClass('link')}>
              Save the seal
            </a>
            {isWriter &&
              (keptReceipt || (
                <a href={pathOf(getReceipt, { params })} download className={buttonClass('link')}>
                  Save your receipt
                </a>
              ))}
            <Link href={verifyPath} className={buttonClass('link')}>
              Verify a story
            </Link>
          </p>
        </>
      )}
    </section>
  )
}
