export const loadInstanceLinks = async () => (await import('./InstanceLinks.tsx')).InstanceLinks
