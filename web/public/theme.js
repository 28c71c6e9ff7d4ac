// Blocks the first paint, so that no page flashes in the other theme or size, and follows the choice made in another
// tab. Requests the files of the page that is shown first beside the entry script, which would only find them once it
// runs. Reports a missing entry script, which cannot do so itself.
;(function () {
  function show() {
    var theme = null
    var size = null
    try {
      theme = localStorage.getItem('theme')
      size = localStorage.getItem('reading-size')
    } catch {
      // Storage may be forbidden; the page then follows the system.
    }
    document.documentElement.dataset.theme = theme === 'day' || theme === 'night' ? theme : 'system'
    document.documentElement.dataset.readingSize = size === 'small' || size === 'large' ? size : 'medium'
  }
  show()
  addEventListener('storage', show)

  // The same rule as in `web/routes.tsx`.
  function expectsFeed() {
    try {
      if (localStorage.getItem('userId') || sessionStorage.getItem('browsing') === 'true') return true
    } catch {
      // Storage may be forbidden; the cookie still says whether a session is expected.
    }
    return /(?:^|;\s*)signed-in=1(?:;|$)/.test(document.cookie)
  }
  var data = document.currentScript.dataset
  var files = ''
  if (/^\/posts\/[^/]+$/.test(location.pathname)) files = data.feed
  else if (/^\/(dashboard)?$/.test(location.pathname)) files = expectsFeed() ? data.feed : data.onboarding
  ;(files || '').split(' ').forEach(function (file) {
    if (!file) return
    var link = document.createElement('link')
    link.rel = 'modulepreload'
    link.href = file
    document.head.append(link)
  })

  addEventListener(
    'error',
    function (event) {
      var loading = document.querySelector('.first-paint')
      if (event.target.tagName === 'SCRIPT' && loading)
        loading.textContent = 'Z!mmer could not be loaded. Reload the page.'
    },
    true,
  )
})()
