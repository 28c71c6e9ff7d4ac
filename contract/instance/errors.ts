export const instanceErrors = {
  InstanceSettingsConflict: {
    status: 400,
    error: 'Another admin changed the settings in the meantime. Nothing was overwritten.',
  },
} as const
