/** Entry point of the field editor's script. */
import { startEditor } from './editor-start.tsx'

void startEditor()
