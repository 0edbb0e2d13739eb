/** Runs before the page is drawn, so that nothing moves when the editor opens. */
document.documentElement.classList.add('editing')
