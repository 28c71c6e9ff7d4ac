export const loadInstanceForm = async () => (await import('./InstanceForm.tsx')).InstanceForm
