/** What a visitor reads where admins have switched submissions of visitors off. */
export const submissionsOff = 'Only people with an account can send texts here.'
