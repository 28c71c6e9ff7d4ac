/** Fetches the dialog when it is opened. A separate file, because index.ts holds exports only. */
export const loadChangePasswordDialog = async () =>
  (await import('./ChangePasswordDialog.tsx')).ChangePasswordDialog
