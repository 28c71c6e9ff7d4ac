// Blocks the first paint, so that no page flashes in the other theme, and follows the choice made in another tab.
;(function () {
  function show() {
    var theme = null
    try {
      theme = localStorage.getItem('theme')
    } catch {
      // Storage may be forbidden; the page then follows the system.
    }
    document.documentElement.dataset.theme = theme === 'day' || theme === 'night' ? theme : 'system'
  }
  show()
  addEventListener('storage', show)
})()
