import { useState } from 'react'
import { Link } from 'wouter'
import { confirmEmail, getOwnEmail } from '#contract/mails/endpoints.ts'
import { useToken } from '#web/lib/address-token.ts'
import { codeOf, sentenceOf, useAction } from '#web/lib/api.ts'
import { usePageTitle } from '#web/lib/page-title.ts'
import { Button, buttonClass } from '#web/ui/Button.tsx'
import { LinkSheet } from '#web/ui/LinkSheet.tsx'

/** The page behind the link that confirms an address. A program that opens links confirms nothing: a person presses the button. */
export function ConfirmationPage() {
  usePageTitle('Email address')
  const token = useToken()
  return token === '' ? <Over /> : <Confirmation key={token} token={token} />
}

function Confirmation({ token }: { token: string }) {
  const [isDone, setIsDone] = useState(false)
  const confirm = useAction(confirmEmail, {
    retries: false,
    failure: 'Failed to confirm the address',
    refreshes: [getOwnEmail],
  })
  if (isDone)
    return (
      <LinkSheet title="Your address is confirmed" isNews action={<ToFeed />}>
        When you forget your passcode, you can now get a link by mail.
      </LinkSheet>
    )
  if (codeOf(confirm.error) === 'ConfirmationNotFound') return <Over isNews />
  const press = async () => {
    if (await confirm.attempt({ input: { token } })) setIsDone(true)
  }
  return (
    <LinkSheet
      title="Confirm your email address"
      action={
        <div className="flex flex-col items-start gap-3">
          <Button busy={confirm.status === 'running'} onClick={() => void press()}>
            Confirm this address
          </Button>
          <p role="alert" className="text-sm text-bad empty:hidden">
            {confirm.error !== null &&
              sentenceOf(confirm.error, 'That did not work. Check the connection and try again.')}
          </p>
        </div>
      }
    >
      Press the button to confirm that the mailbox of this link is yours.
    </LinkSheet>
  )
}

const Over = ({ isNews }: { isNews?: boolean }) => (
  <LinkSheet title="This link is no longer good" isNews={isNews} action={<ToFeed />}>
    A link confirms an address once, within seven days. You get a new one in the settings, under “Email”.
  </LinkSheet>
)

const ToFeed = () => (
  <Link href="/dashboard" className={buttonClass('quiet')}>
    Go to the feed
  </Link>
)
