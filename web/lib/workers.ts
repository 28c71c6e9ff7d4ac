interface ScriptRules {
  createScriptURL: (name: string) => string
}

declare global {
  /** Of browsers that know Trusted Types. TypeScript does not know them yet. */
  var trustedTypes: { createPolicy: (name: string, rules: ScriptRules) => ScriptRules } | undefined
}

const workers: Record<string, string> = import.meta.glob('../features/**/*-worker.ts', {
  query: '?worker&url',
  import: 'default',
  eager: true,
})

const serviceWorker = '/sw.js'

const rules: ScriptRules = {
  createScriptURL: (name) => {
    if (name === serviceWorker) return name
    const file = workers[`../features/${name}.ts`]
    if (file === undefined) throw new TypeError(`${name} is no worker of this page`)
    return file
  },
}

// The content security policy allows this one policy, which can be created once (S38).
const policy = globalThis.trustedTypes?.createPolicy('zimmer', rules) ?? rules

/** Starts the worker of a feature, such as `reports/count-worker`. */
export const startWorker = (name: string) => new Worker(policy.createScriptURL(name), { type: 'module' })

/** Installs the service worker. Rejects where the browser stores nothing, and when its file is missing. */
export const registerServiceWorker = () =>
  navigator.serviceWorker.register(policy.createScriptURL(serviceWorker))
