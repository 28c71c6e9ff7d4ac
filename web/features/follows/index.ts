export { FollowButton } from './FollowButton.tsx'
export { FollowedPeople } from './FollowedPeople.tsx'
export { forgetMarks, markOpened, useMarks } from './marks.ts'
export { useFollowed } from './use-follows.ts'
