// Blocks the first paint, so that no page flashes in the other theme or size, and follows the choice made in another
// tab. Reports a missing entry script, which cannot do so itself.
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
