import { manifestPath } from '#src/domain/adoption/legacy/manifest.js'
import { roleOf } from '#src/domain/lore/layout.js'
import { linesOf } from '#src/domain/lore/lines.js'
import { readHeader } from '#src/domain/lore/session-header.js'

/** Whether the path alone shows that a repository holds lore, in format 2 or in the legacy layout. */
export const isLorePath = (path: string): boolean => {
  const name = path.normalize('NFC')
  const role = roleOf(name)
  return (
    role === 'format' ||
    role === 'character' ||
    role === 'legacy' ||
    name.startsWith('encje/') ||
    name === manifestPath
  )
}

/** Whether a file may hold sessions. Its text is searched when no path of the repository shows lore. */
export const maySession = (path: string): boolean => roleOf(path) === 'sessions'

/** Whether a text has a session header, such as `### 2026-02-01, Tytuł, Narrator`. */
export const hasSession = (text: string): boolean =>
  text.includes('###') &&
  linesOf(text).lines.some(
    line => line._tag === 'Header' && line.level === 3 && readHeader(line.text)._tag === 'Session',
  )
