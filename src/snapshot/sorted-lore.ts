import type { FileRole, SourceFile } from '#src/domain/lore/layout.js'
import type { ParsedFile } from './parsed-file.js'

/** The files of the lore grouped by what they hold. */
export interface SortedLore {
  readonly index: ReadonlyArray<Extract<ParsedFile, { _tag: 'Index' }>>
  readonly characters: ReadonlyArray<Extract<ParsedFile, { _tag: 'Character' }>>
  readonly sessions: ReadonlyArray<Extract<ParsedFile, { _tag: 'Sessions' }>>
  readonly text: (role: FileRole) => SourceFile | null
}

export const sortLore = (lore: ReadonlyMap<string, ParsedFile>): SortedLore => {
  const texts = new Map<FileRole, SourceFile>()
  const index: Array<SortedLore['index'][number]> = []
  const characters: Array<SortedLore['characters'][number]> = []
  const sessions: Array<SortedLore['sessions'][number]> = []
  for (const file of lore.values())
    if (file._tag === 'Index') index.push(file)
    else if (file._tag === 'Character') characters.push(file)
    else if (file._tag === 'Sessions') sessions.push(file)
    else texts.set(file.role, file.source)
  return { index, characters, sessions, text: role => texts.get(role) ?? null }
}
