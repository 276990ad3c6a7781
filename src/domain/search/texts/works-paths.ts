import { roleOf } from '#src/domain/lore/layout.js'
import { pathNamesTopics } from '#src/domain/lore/withheld-tags.js'
import { pdfSuffix } from './pdf-documents.js'

/** Folders of a works tree that hold no documents: records of the host and of governance. */
const otherFolders: ReadonlyArray<string> = [
  'governance/',
  '.svc/',
  '.git/',
  'encje/',
  'Postaci/Gracze/',
  'lematy/',
]

/**
 * Whether a file of the works tree is a document: Markdown, or the text of a PDF. The tree may be the lore
 * itself, so what the lore does not show is none here either. An answer shows the path, so it must name no topics.
 */
export const isWorksDocument = (path: string): boolean => {
  const name = path.normalize('NFC')
  if (pathNamesTopics(name)) return false
  if (otherFolders.some(folder => name.startsWith(folder))) return false
  if (name.endsWith(pdfSuffix)) return !name.startsWith('.') && !name.startsWith('zgłoszenia/')
  return roleOf(name) === 'sessions'
}
