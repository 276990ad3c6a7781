import { type NameKey, nameKey } from '#protocol/atoms.js'
import type { FileChange } from '#src/domain/lore/edits/file-change.js'
import type { Finding } from '#src/domain/lore/finding.js'
import { pathSegment } from '#src/domain/lore/path-segment.js'
import type { SourceFile } from '#src/domain/lore/source-file.js'
import { characterTemplate } from '#src/domain/people/characters/character-template.js'
import { parseCharacterFile } from '#src/domain/people/characters/parse-character-file.js'
import { changesTo } from './adopted-tree.js'
import type { Manifest } from './legacy/manifest.js'
import { findingOfNotice } from './legacy/noticed.js'
import type { LegacyCharacter } from './legacy/overlay.js'
import { redactWebhooks } from './legacy/secret.js'
import { addNotes } from './noted-file.js'
import type { Tree } from './sources.js'

const folder = 'Postaci/Gracze'

/**
 * Where a character's file is. `Misplaced`: in the manifest's folder, from which it moves; `Elsewhere`: it
 * stays there.
 */
export type Document =
  | { readonly _tag: 'Here'; readonly file: SourceFile }
  | { readonly _tag: 'Misplaced'; readonly file: SourceFile }
  | { readonly _tag: 'Elsewhere'; readonly file: SourceFile }
  | { readonly _tag: 'None' }

/** Files directly in a folder, by the key of their name. */
const filesByName = (tree: Tree, place: string): ReadonlyMap<NameKey, SourceFile> => {
  const named = new Map<NameKey, SourceFile>()
  for (const [path, file] of tree) {
    if (!path.startsWith(`${place}/`) || !path.endsWith('.md')) continue
    const name = path.slice(place.length + 1, -3)
    if (!name.includes('/')) named.set(nameKey(name), file)
  }
  return named
}

/**
 * Returns a function that finds character files by name, then in the manifest's folder, then by the roster's
 * link.
 */
export const documentsIn = (tree: Tree, manifest: Manifest): ((character: LegacyCharacter) => Document) => {
  const here = filesByName(tree, folder)
  const there = manifest.charactersDir === folder ? null : filesByName(tree, manifest.charactersDir)
  return character => {
    const key = nameKey(pathSegment(character.name))
    const file = here.get(key)
    if (file !== undefined) return { _tag: 'Here', file }
    const misplaced = there?.get(key)
    if (misplaced !== undefined) return { _tag: 'Misplaced', file: misplaced }
    const linked = character.path === null ? undefined : tree.get(character.path.normalize('NFC'))
    return linked === undefined ? { _tag: 'None' } : { _tag: 'Elsewhere', file: linked }
  }
}

/**
 * Restricted topics of a character file, one for each bullet. Commas inside one become semicolons, because a
 * comma would end it in the store's list.
 */
export const topicsOfFile = (document: Document): ReadonlyArray<string> => {
  if (document._tag === 'None') return []
  const { restrictedTopics } = parseCharacterFile(document.file)
  return (restrictedTopics ?? '')
    .split(/(?:^|\s)[-*+]\s/u)
    .map(topic =>
      topic
        .split(',')
        .map(part => part.trim())
        .join('; ')
        .trim(),
    )
    .filter(topic => /[\p{L}\p{N}]/u.test(topic))
}

const sheetOf = (character: LegacyCharacter): string | null =>
  character.entity?.rows.findLast(row => row.tag === 'karta_postaci' && row.value.startsWith('http'))
    ?.value ?? null

export interface CharacterFilePlan {
  readonly changes: ReadonlyArray<FileChange>
  readonly findings: ReadonlyArray<Finding>
}

const fileFinding = (character: LegacyCharacter, file: SourceFile, kind: string, reason: string): Finding =>
  findingOfNotice({ kind, severity: 'info', file: file.path, line: null, subject: character.name, reason })

const destination = (character: LegacyCharacter, document: Document): string =>
  document._tag === 'Here' || document._tag === 'Elsewhere'
    ? document.file.path
    : `${folder}/${pathSegment(character.name)}.md`

const documentFindings = (character: LegacyCharacter, document: Document): ReadonlyArray<Finding> => {
  const path = `${folder}/${pathSegment(character.name)}.md`
  switch (document._tag) {
    case 'Here':
    case 'None':
      return []
    case 'Elsewhere': {
      const reason = `The file of ${character.name} is not named ${path}; the block names it by @plik.`
      return [fileFinding(character, document.file, 'CharacterFileElsewhere', reason)]
    }
    case 'Misplaced': {
      const reason = `The file of ${character.name} moves to ${path}, where character files are read.`
      return [fileFinding(character, document.file, 'CharacterFileMoved', reason)]
    }
  }
}

/**
 * Plans the character files: roster notes and `@info` go under `Dodatkowe informacje`, a missing file is
 * created from the template, a file in the manifest's folder moves to where the daemon reads it (FORMATS 9,
 * step 7). Two characters may share a file.
 */
export const planCharacterFiles = (
  tree: Tree,
  read: ReadonlyArray<{ readonly character: LegacyCharacter; readonly document: Document }>,
): CharacterFilePlan => {
  const texts = new Map<string, string>()
  const removed = new Map<string, FileChange>()
  for (const { character, document } of read) {
    const path = destination(character, document)
    const base = document._tag === 'None' ? characterTemplate(sheetOf(character)) : document.file.text
    texts.set(path, addNotes(texts.get(path) ?? base, character.notes.map(redactWebhooks)))
    if (document._tag !== 'Misplaced') continue
    const { file } = document
    removed.set(file.path, { path: file.path, before: file.blob, after: null })
  }
  return {
    changes: [...removed.values(), ...changesTo(tree, texts)],
    findings: read.flatMap(({ character, document }) => documentFindings(character, document)),
  }
}
