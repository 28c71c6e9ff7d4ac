/** The push device of the session. The service worker calls it too, without the schemas. */
export const pushDevicePath = '/api/me/push-device'

/** What a push carries, encrypted for the browser. */
export interface PushContent {
  kind: string
  title: string
  /** What a press opens. */
  path: string
  /** A newer notification takes the place of an older one with the same topic. */
  topic: string
}
