import { useState } from 'react'
import { Button } from '#web/ui/Button.tsx'
import { part } from '#web/ui/part.tsx'
import type { SaveAsProps } from './formats.ts'
import { SaveAsButton } from './SaveAsButton.tsx'

/** A button with a menu of formats, in which a text becomes a file. The menu is fetched at the first press. */
export function SaveAs(props: SaveAsProps) {
  const [isWanted, setIsWanted] = useState(false)
  if (isWanted) return <SaveMenu {...props} />
  return (
    <SaveAsButton
      icon={props.icon ?? 'never'}
      busy={false}
      aria-haspopup="menu"
      aria-expanded={false}
      onClick={() => setIsWanted(true)}
    />
  )
}

const SaveMenu = part<SaveAsProps>(
  async () => {
    // Both are fetched at once: this menu opens with the first press.
    const [{ SaveMenu }] = await Promise.all([import('./SaveMenu.tsx'), import('#web/ui/MenuContent.tsx')])
    return SaveMenu
  },
  (tryAgain, kept) => (
    <>
      <Button variant="quiet" onClick={tryAgain}>
        Try again
      </Button>
      {kept}
    </>
  ),
  ({ icon = 'never' }) => <SaveAsButton icon={icon} busy />,
)
