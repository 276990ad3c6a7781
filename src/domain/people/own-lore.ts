import type { NameKey } from '#protocol/atoms.js'
import { bounds } from '#protocol/bounds.js'
import type { Entity } from '#src/domain/entities/entity.js'
import type { Finding } from '#src/domain/lore/finding.js'
import { bytesOfLines, type SourceFile, textBytes } from '#src/domain/lore/layout.js'
import type { Characters } from './characters.js'
import type { People, Person } from './roster.js'
import type { CharacterFile } from './section-body.js'

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

/**
 * Findings for Gracze whose Postacie exceed a bound on what players write themselves (D64). All of it is
 * still read; only the player's own writes that add to it are refused.
 */
export const ownLoreFindings = (
  lore: LoreFiles,
  people: People,
  { byOwner }: Characters,
): ReadonlyArray<Finding> =>
  people.all.flatMap(person => {
    const blocks = (byOwner.get(person.key) ?? []).map(({ entity }) => entity)
    const bytes = bytesOfCharacters(lore, blocks)
    const { ownCharacters, ownBytes } = bounds
    return [
      ...(blocks.length > ownCharacters.limit
        ? [
            personFinding(
              person,
              'OwnCharactersAboveBound',
              `Gracz ma więcej Postaci (${blocks.length}), niż może sam utworzyć (${ownCharacters.limit}).`,
              'Kolejną Postać tworzy narrator.',
            ),
          ]
        : []),
      ...(bytes > ownBytes.limit
        ? [
            personFinding(
              person,
              'OwnLoreAboveBound',
              `Bloki i pliki Postaci gracza mają więcej bajtów (${bytes}), niż może sam zapisać (${ownBytes.limit}).`,
              'Skróć wpisy; do tego czasu dopisywać może tylko narrator.',
            ),
          ]
        : []),
    ]
  })

/** The files that hold the lore of characters. */
interface LoreFiles {
  readonly files: ReadonlyMap<string, SourceFile>
  readonly characterFiles: ReadonlyMap<NameKey, CharacterFile>
}

const bytesOfFile = (file: SourceFile | undefined): number => (file === undefined ? 0 : textBytes(file))

const personFinding = (person: Person, kind: string, reason: string, suggestion: string): Finding => ({
  kind,
  severity: 'info',
  file: person.file,
  line: person.line,
  subject: person.name,
  reason,
  suggestion,
})
