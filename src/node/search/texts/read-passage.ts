import { createHash } from 'node:crypto'
import { pathOf } from '#protocol/atoms.js'
import type { SourceFile } from '#src/domain/lore/layout.js'
import type { DocumentHead } from '#src/domain/search/document.js'
import { passageInSlices, passageOfFile } from '#src/domain/search/texts/pdf-documents.js'
import { runWithPauses } from '#src/domain/slicing/sliced.js'
import type { SearchPorts } from '#src/http/handlers/search.js'
import type { TreeSource } from '#src/ports/git.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'

const floorOf = ({ config }: Snapshot): number => config['scrape.pdf_confidence_floor']

const isOfLore = ({ kind }: DocumentHead): boolean => kind === 'lore' || kind === 'session'

/** The file of the document, where the snapshot has the text of its blob. */
const fileInMemory = (document: DocumentHead, { files }: Snapshot): SourceFile | null => {
  const file = isOfLore(document) ? files.get(document.path) : undefined
  return file === undefined || file.blob !== document.blob ? null : file
}

const blobIdOf = (bytes: Buffer): string =>
  createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex')

/** A plain folder gives the bytes that its file has now, which need not be those of the blob. */
const readBlob = async (source: TreeSource | null, { path, blob }: DocumentHead): Promise<Buffer | null> => {
  const decoded = pathOf(path)
  if (source === null || decoded === null || blob === null) return null
  const bytes = await source.read({ path: decoded, blob, bytes: 0 }).catch(() => null)
  return bytes === null || (source.kind === 'directory' && blobIdOf(bytes) !== blob) ? null : bytes
}

/** A text of the lore that the current tree does not have any more is moved, and shows nothing. */
const isMoved = (document: DocumentHead, { files }: Snapshot): boolean =>
  isOfLore(document) && !files.has(document.path)

/** Reads passages on a reader thread, which has the texts of the lore and no trees. */
export const passagesInMemory: SearchPorts['readPassage'] = (document, snapshot) => {
  if (isMoved(document, snapshot)) return Promise.resolve(null)
  const file = fileInMemory(document, snapshot)
  return Promise.resolve(file === null ? undefined : passageOfFile(file, document))
}

/** Reads passages on the main thread, one blob at a time: from memory, else from the tree that has it. */
export const passagesFromTrees =
  (
    lore: TreeSource,
    works: () => TreeSource | null,
    breathe: () => Promise<void>,
  ): SearchPorts['readPassage'] =>
  async (document, snapshot) => {
    await breathe()
    if (isMoved(document, snapshot)) return null
    const file = fileInMemory(document, snapshot)
    if (file !== null) return passageOfFile(file, document)
    const bytes = await readBlob(isOfLore(document) ? lore : works(), document)
    return bytes === null
      ? null
      : await runWithPauses(passageInSlices(bytes, document, floorOf(snapshot)), breathe)
  }
