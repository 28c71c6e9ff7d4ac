import { vi } from 'vitest'

/** Sends the uploads of a page through `fetch`, so that the server of the test answers them. */
export function startFakeUploads() {
  const sent: { file: File; field: string; progress: (loaded: number, total: number) => void }[] = []
  class FakeUpload extends EventTarget {
    readonly upload = new EventTarget()
    status = 0
    responseText = ''
    #address: [method: string, path: string] = ['', '']
    #headers: Record<string, string> = {}
    #isAborted = false
    open(...address: [string, string]) {
      this.#address = address
    }
    setRequestHeader(name: string, value: string) {
      this.#headers[name] = value
    }
    abort() {
      this.#isAborted = true
      this.dispatchEvent(new Event('abort'))
    }
    send(form: FormData) {
      const [[field, file]] = [...form] as [[string, File]]
      const progress = (loaded: number, total: number) =>
        this.upload.dispatchEvent(Object.assign(new Event('progress'), { loaded, total }))
      sent.push({ file, field, progress })
      const [method, path] = this.#address
      fetch(path, { method, headers: this.#headers, body: form }).then(
        async (answer) => {
          this.status = answer.status
          this.responseText = await answer.text()
          if (!this.#isAborted) this.dispatchEvent(new Event('load'))
        },
        () => this.dispatchEvent(new Event('error')),
      )
    }
  }
  vi.stubGlobal('XMLHttpRequest', FakeUpload)
  return sent
}
