export const instanceSwitches = ['competition', 'premium', 'tips', 'samples'] as const
export type InstanceSwitch = (typeof instanceSwitches)[number]
