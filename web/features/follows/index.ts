export { FollowButton } from './FollowButton.tsx'
export { forgetMarks, markOpened, useMarks } from './marks.ts'
