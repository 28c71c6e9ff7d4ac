import { Button } from '#web/ui/Button.tsx'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { openSignIn } from './session.tsx'

/** Shown instead of content that needs an account. */
export function SignInNotice({ text }: { text: string }) {
  return <EmptyState text={text} drawing="door" action={<Button onClick={openSignIn}>Sign In</Button>} />
}
