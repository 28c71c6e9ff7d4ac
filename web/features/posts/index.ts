/** The dialog comes when somebody wants to write. */
export const loadCreatePostDialog = async () => (await import('./CreatePostDialog.tsx')).CreatePostDialog
