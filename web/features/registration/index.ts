export const loadSignUps = async () => (await import('./SignUps.tsx')).SignUps
