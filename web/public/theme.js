// Runs before the first paint.
// - Sets theme, text size and sidebar, so that no page flashes in another one, and follows changes made in another tab.
// - Sets the accent colour of a page without a network.
// - Hides a rendered page that is not the page of this person, or a text that this visitor left in its middle.
// - Requests the files of the first page beside the entry script, which would only find them once it runs: of a rendered
//   page after its text is painted.
// - Remembers that the tab of a visitor has shown a public page: the visitor may then open the other pages too.
// - Repeats the press of a button once the scripts work.
// - Reports a missing entry script, which cannot do so itself.
;(function () {
  var page = document.documentElement.dataset
  function show() {
    var theme = null
    var size = null
    var sidebar = null
    try {
      theme = localStorage.getItem('theme')
      size = localStorage.getItem('reading-size')
      sidebar = localStorage.getItem('sidebar')
    } catch {
      // Storage may be forbidden; the page then follows the system.
    }
    page.theme = theme || 'system'
    page.readingSize = size || 'medium'
    if (sidebar) page.sidebar = sidebar
  }
  show()
  addEventListener('storage', show)

  // The same rules as in `web/routes.tsx`.
  var expectsSession = /(?:^|;\s*)signed-in=1(?:;|$)/.test(document.cookie)
  var isBrowsing = false
  var wasLeft = false
  var path = location.pathname
  var isPublic = /^\/(dashboard$|about$|projects\/f|posts\/|stories\/|people\/)/
  try {
    // The worker stored the shell with the accent colour of that time. `web/app-notice.tsx` keeps the one of now.
    if (page.shell) page.accent = localStorage.getItem('accent') || ''
    expectsSession ||= localStorage.getItem('userId') !== null
    isBrowsing = sessionStorage.getItem('browsing') === 'true'
    // Also when a link to the feed is followed before the scripts work.
    if (!expectsSession && isPublic.test(path)) sessionStorage.setItem('browsing', 'true')
    var text = /^\/(?:posts|stories)\/([0-9a-f-]{36})$/.exec(path)
    // The key is that of `web/features/reading-position/positions.ts`.
    var positions = localStorage.getItem('reading-positions:' + localStorage.getItem('guestId'))
    wasLeft = text !== null && positions !== null && positions.includes(text[1])
  } catch {
    // Storage may be forbidden; the cookie still says whether a session is expected.
  }
  var showsFeed = path === '/dashboard' || (path === '/' && (expectsSession || isBrowsing))
  // The server renders the page of a visitor in a new tab. Other people do not see it: the browser renders theirs.
  if (page.rendered && (expectsSession || wasLeft || (path === '/' && isBrowsing))) page.rendered = 'unused'
  var data = document.currentScript.dataset
  var files = ''
  if (/^\/posts\/[^/]+$/.test(path)) files = data.article
  else if (showsFeed) files = data.feed
  else if (path === '/') files = data.onboarding
  else files = document.currentScript.getAttribute('data' + path.replaceAll('/', '-')) || data.other

  var isLoading = false
  function load() {
    if (isLoading) return
    isLoading = true
    ;(files || '').split(' ').forEach(preload)
    // The HTML of a page that is not rendered names the entry script itself.
    if (!page.rendered) return
    preload(data.entry)
    // A long page arrives in parts. The entry script needs all of them.
    if (document.readyState === 'loading') addEventListener('DOMContentLoaded', start)
    else start()
  }
  function preload(file) {
    if (!file) return
    var link = document.createElement('link')
    link.rel = 'modulepreload'
    link.href = file
    document.head.append(link)
  }
  function start() {
    // Trusted Types allow no script element with an address, but an import.
    import(data.entry).catch(function (error) {
      showFailure()
      throw error
    })
  }
  if (page.rendered === 'true') {
    // The text of a rendered page needs no script: the scripts are requested once it is painted.
    new PerformanceObserver(function (list) {
      if (list.getEntriesByName('first-contentful-paint').length > 0) load()
    }).observe({ type: 'paint', buffered: true })
    // A hidden tab paints nothing, and an older browser does not say when it paints.
    addEventListener('load', function () {
      setTimeout(load, document.hidden ? 0 : 1000)
    })
    addEventListener('pointerdown', load, true)
    addEventListener('keydown', load, true)
  } else load()

  // A button of the rendered page that is pressed before the scripts work is pressed again when they do.
  var pressed = null
  function keepPress(event) {
    pressed = event.target.closest('button')
  }
  if (page.rendered === 'true') addEventListener('click', keepPress, true)
  addEventListener('working', function () {
    removeEventListener('click', keepPress, true)
    // In a task of its own: the press makes React hydrate the part around the button, which it cannot do while it renders.
    if (pressed) setTimeout(() => pressed.click())
  })

  function showFailure() {
    var loading = document.querySelector('.first-paint')
    if (!loading) return
    loading.textContent = 'Z!mmer could not be loaded. Reload the page.'
    if (page.rendered === 'true') page.rendered = 'failed'
  }
  addEventListener(
    'error',
    function (event) {
      if (event.target.tagName === 'SCRIPT') showFailure()
    },
    true,
  )
})()
