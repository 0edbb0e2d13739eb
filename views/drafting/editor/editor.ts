/** Entry point of the field editor's script. */
import { startEditor } from './start.tsx'

startEditor().catch((error: unknown) => {
  // The table works without the editor.
  console.warn(error)
  document.documentElement.classList.remove('editing')
  document.querySelector('.page-loading')?.remove()
  document.querySelector('#editor-failed')?.removeAttribute('hidden')
  document.querySelector('#editor')?.setAttribute('hidden', '')
})
