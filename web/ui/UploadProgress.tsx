import { Button } from './Button.tsx'

interface UploadProgressProps {
  /** From 0 to 1; null while nothing is uploaded. */
  share: number | null
  onCancel: () => void
}

/** How much of a file was sent, and a button that cancels. */
export const UploadProgress = ({ share, onCancel }: UploadProgressProps) => (
  <>
    {share !== null && (
      <>
        <Button variant="quiet" onClick={onCancel}>
          Cancel upload
        </Button>
        <progress aria-label="Upload" className="accent-lamp" value={share} max={1} />
      </>
    )}
    <output className="text-xs text-ink-soft">{share !== null && 'Uploading…'}</output>
  </>
)
