import type { NameKey } from '#protocol/atoms.js'
import type { Entity } from '#src/domain/entities/entity.js'
import { textBytes } from '#src/domain/lore/file-size.js'
import { bytesOfLines } from '#src/domain/lore/lines/line-bytes.js'
import type { SourceFile } from '#src/domain/lore/source-file.js'
import type { CharacterFile } from './characters/character-file.js'

/** The files that hold the lore of characters. */
export interface LoreFiles {
  readonly files: ReadonlyMap<string, SourceFile>
  readonly characterFiles: ReadonlyMap<NameKey, CharacterFile>
}

const bytesOfFile = (file: SourceFile | undefined): number => (file === undefined ? 0 : textBytes(file))

/** Bytes of UTF-8 in the blocks of Postacie and in their files. */
export const bytesOfCharacters = (
  { files, characterFiles }: LoreFiles,
  characters: ReadonlyArray<Entity>,
): number => {
  const byFile = new Map<string, Array<Entity>>()
  for (const one of characters) {
    const known = byFile.get(one.file)
    if (known === undefined) byFile.set(one.file, [one])
    else known.push(one)
  }
  const ofBlocks = [...byFile].map(([path, blocks]) => {
    const ranges = blocks.map(({ line, endLine }) => ({ from: line, to: endLine }))
    return bytesOfLines(files.get(path)?.text ?? '', ranges)
  })
  const ofSheets = characters.map(({ key }) => {
    const path = characterFiles.get(key)?.path
    return path === undefined ? 0 : bytesOfFile(files.get(path))
  })
  return [...ofBlocks, ...ofSheets].reduce((sum, bytes) => sum + bytes, 0)
}
