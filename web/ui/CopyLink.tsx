import { Copy } from 'lucide-react'
import { useRef } from 'react'
import { Button } from './Button.tsx'
import { TextField } from './TextField.tsx'
import { useToast } from './toasts.tsx'

interface CopyLinkProps {
  label: string
  link: string
  what?: 'link' | 'token' | 'secret'
}

const copied = { link: 'Link copied', token: 'Token copied', secret: 'Secret copied' }

/** A link, a token or a secret that is shown once, with a button that copies it. */
export function CopyLink({ label, link, what = 'link' }: CopyLinkProps) {
  const field = useRef<HTMLDivElement>(null)
  const toast = useToast()
  const select = () => field.current?.querySelector('input')?.select()

  const copy = async () => {
    try {
      await navigator.clipboard.writeText(link)
      toast({ title: copied[what] })
    } catch {
      // Without https there is no clipboard: select the link, so that the person can copy it.
      field.current?.querySelector('input')?.focus()
      select()
    }
  }
  return (
    <>
      <div ref={field} className="flex flex-wrap items-end gap-2">
        <div className="min-w-48 flex-1">
          <TextField label={label} readOnly autoFocus value={link} onFocus={select} />
        </div>
        <Button onClick={() => void copy()}>
          <Copy aria-hidden className="size-4" />
          Copy
        </Button>
      </div>
      <p className="text-xs text-ink-soft">Copy the {what} now: it is not shown again.</p>
    </>
  )
}
