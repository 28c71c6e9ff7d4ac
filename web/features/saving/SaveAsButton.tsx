import { Download, LoaderCircle } from 'lucide-react'
import type { ComponentProps } from 'react'
import { Button } from '#web/ui/Button.tsx'
import { IconButton } from '#web/ui/IconButton.tsx'
import type { IconUse } from './formats.ts'

interface SaveAsButtonProps extends ComponentProps<'button'> {
  icon: IconUse
  busy: boolean
}

/** The button of the menu. While it is busy it keeps its place and the focus. */
export const SaveAsButton = ({ icon, busy, ...rest }: SaveAsButtonProps) =>
  icon === 'always' ? (
    <IconButton
      {...rest}
      label="Save as…"
      icon={busy ? LoaderCircle : Download}
      busy={busy}
      className={busy ? 'animate-spin' : ''}
    />
  ) : (
    <Button {...rest} variant="quiet" busy={busy} className={icon === 'on phones' ? 'max-sm:px-3' : ''}>
      {!busy && <Download aria-hidden className="size-4" />}
      <span className={icon === 'on phones' ? 'max-sm:sr-only' : ''}>Save as…</span>
    </Button>
  )
