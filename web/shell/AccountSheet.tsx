import { useSession } from '#web/features/account/index.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { AccountRow, actionClass } from './AccountRow.tsx'
import { PageLink } from './PageLink.tsx'
import { PersonBar } from './PersonBar.tsx'
import { useCloseOnNavigation } from './use-close-on-navigation.ts'

/** The person and the actions of their account, on a phone: there the bottom bar leads to pages. */
export function AccountSheet({ onClose }: { onClose: () => void }) {
  const { state } = useSession()
  useCloseOnNavigation(onClose)
  return (
    <Dialog onClose={onClose} title="Account" size="field">
      {state === 'guest' || state === 'registered' ? (
        <PersonBar isGuest={state === 'guest'}>
          {state === 'registered' && (
            <>
              <PageLink className={actionClass} href="/writing">
                Your writing
              </PageLink>
              <PageLink className={actionClass} href="/read-later">
                Read later
              </PageLink>
              <PageLink className={actionClass} href="/settings">
                Settings
              </PageLink>
            </>
          )}
        </PersonBar>
      ) : (
        <AccountRow />
      )}
    </Dialog>
  )
}
