export const draftPath = (id: string): string => `/write/${id}`
/** Where the author changes a post. */
export const changePath = (postId: string): string => `/write/post/${postId}`
