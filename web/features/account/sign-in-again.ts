import { failedDialog, part } from '#web/ui/part.tsx'

/** Asks for the passcode where the server accepts only a recent sign-in. */
export const SignInAgainDialog = part(
  async () => (await import('./SignInAgainDialog.tsx')).SignInAgainDialog,
  failedDialog,
)
