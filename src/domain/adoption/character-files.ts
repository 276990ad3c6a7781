import { type NameKey, nameKey } from '#protocol/atoms.js'
import type { FileChange } from '#src/domain/lore/changes.js'
import { applySplices, keepHidden, type Splice } from '#src/domain/lore/file-edit.js'
import type { Finding } from '#src/domain/lore/finding.js'
import { pathSegment, type SourceFile } from '#src/domain/lore/layout.js'
import { type Line, linesOf, shownOf } from '#src/domain/lore/lines.js'
import { characterTemplate, parseCharacterFile, sectionsOf } from '#src/domain/people/character-file.js'
import { isNone } from '#src/domain/people/section-body.js'
import { changesTo } from './adopted-tree.js'
import { continueLine } from './blocks.js'
import type { Manifest, Tree } from './legacy/manifest.js'
import { findingOfNotice, redactWebhooks } from './legacy/outline.js'
import type { LegacyCharacter } from './legacy/overlay.js'
import { type LegacyEntity, type LegacyRow, quoteRow } from './legacy/registry.js'

/**
 * Where a character's file is. `Misplaced`: in the manifest's folder, from which it moves; `Elsewhere`: it
 * stays there.
 */
export type Document =
  | { readonly _tag: 'Here'; readonly file: SourceFile }
  | { readonly _tag: 'Misplaced'; readonly file: SourceFile }
  | { readonly _tag: 'Elsewhere'; readonly file: SourceFile }
  | { readonly _tag: 'None' }

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

/**
 * Turns `@zawiera` into the child's `@lokacja` when the child has none (FORMATS 10). Otherwise drops the row,
 * with a finding when the two differ. A row that names no place is kept, with a finding. The first parent
 * that claims a child gets it.
 */
export const containmentOf = (entities: ReadonlyArray<LegacyEntity>): Contained => {
  const places = placesByName(entities)
  const given = new Map<LegacyEntity, Array<LegacyRow>>()
  const dropped = new Set<LegacyRow>()
  const findings: Array<Finding> = []
  for (const parent of entities.filter(entity => entity.type === 'Lokacja')) {
    for (const row of parent.rows.filter(one => one.tag === 'zawiera')) {
      const child = places.get(leaf(row.value))
      const extra = child === undefined ? [] : (given.get(child) ?? [])
      const own = (child?.rows ?? []).filter(one => one.tag === 'lokacja')
      const verdict = verdictOf(parent, row, child, [...own, ...extra])
      if (!verdict.keep) dropped.add(row)
      if (verdict.given !== null && child !== undefined) given.set(child, [...extra, verdict.given])
      if (verdict.finding !== null) findings.push(verdict.finding)
    }
  }
  return {
    entities: entities.map(entity => ({
      ...entity,
      rows: [...entity.rows.filter(row => !dropped.has(row)), ...(given.get(entity) ?? [])],
    })),
    findings,
  }
}

/**
 * Adds notes under `Dodatkowe informacje` of a character file, except those with an equal line there; a
 * missing section is added before `Opisane sesje`. Nothing else changes (FORMATS 9, step 7).
 */
export const addNotes = (text: string, notes: ReadonlyArray<string>): string => {
  if (notes.length === 0) return text
  const scanned = linesOf(text)
  const { lines } = scanned
  const { bodies } = sectionsOf(lines)
  const body = bodies.get('dodatkowe informacje')
  const header = body === undefined ? undefined : lines[body.line - 1]
  const splices =
    body === undefined || header === undefined
      ? withSection(lines, bodies.get('opisane sesje')?.line ?? null, notes)
      : intoSection(header, body, notes)
  const after = applySplices(text, keepHidden(scanned, splices))
  return text === '' || /[\r\n]$/u.test(text) ? after : after.replace(/\n$/u, '')
}

const folder = 'Postaci/Gracze'

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

const sheetOf = (character: LegacyCharacter): string | null =>
  character.entity?.rows.findLast(row => row.tag === 'karta_postaci' && row.value.startsWith('http'))
    ?.value ?? null

interface CharacterFilePlan {
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

/** Places with their `@zawiera` rows turned into `@lokacja` rows of the children. */
interface Contained {
  readonly entities: ReadonlyArray<LegacyEntity>
  readonly findings: ReadonlyArray<Finding>
}

/** The place that a `@lokacja` names: the last segment of a slash path. */
const leaf = (value: string): NameKey => nameKey(value.slice(value.lastIndexOf('/') + 1))

const placesByName = (entities: ReadonlyArray<LegacyEntity>): ReadonlyMap<NameKey, LegacyEntity> => {
  const places = new Map<NameKey, LegacyEntity>()
  for (const place of entities.filter(entity => entity.type === 'Lokacja')) {
    for (const row of place.rows)
      if (row.tag === 'alias' && !places.has(nameKey(row.value))) places.set(nameKey(row.value), place)
  }
  for (const place of entities.filter(entity => entity.type === 'Lokacja'))
    places.set(nameKey(place.name), place)
  return places
}

interface Verdict {
  readonly keep: boolean
  readonly given: LegacyRow | null
  readonly finding: Finding | null
}

const verdictOf = (
  parent: LegacyEntity,
  row: LegacyRow,
  child: LegacyEntity | undefined,
  parents: ReadonlyArray<LegacyRow>,
): Verdict => {
  const at = { file: row.path, line: row.line, subject: parent.name } as const
  if (child === undefined || child === parent) {
    const reason = `@zawiera ${quoteRow(row)} of ${parent.name} names no other place; the row was kept.`
    const name = row.value.slice(row.value.lastIndexOf('/') + 1).trim()
    const missing = { name, type: 'Lokacja' } as const
    return {
      keep: true,
      given: null,
      finding: findingOfNotice({ ...at, kind: 'ContainsUnknown', severity: 'info', reason, missing }),
    }
  }
  if (parents.length === 0)
    return { keep: false, given: { ...row, tag: 'lokacja', value: parent.name }, finding: null }
  if (parents.some(known => leaf(known.value) === nameKey(parent.name)))
    return { keep: false, given: null, finding: null }
  const said = parents.map(quoteRow).join(', ')
  const claim = `@zawiera ${quoteRow(row)} of ${parent.name}`
  const reason = `${claim} contradicts the @lokacja ${said} of ${child.name}; it was not adopted.`
  return {
    keep: false,
    given: null,
    finding: findingOfNotice({ ...at, kind: 'ContainsContradicted', severity: 'warning', reason }),
  }
}

const bare = (line: string): string => line.trim().replace(/^[-*+]\s+/u, '')

const noteLines = (note: string): ReadonlyArray<string> => {
  const [first = '', ...rest] = note.split('\n')
  return [`- ${first}`, ...rest.map(continueLine)]
}

const before = (line: number, lines: ReadonlyArray<string>): Splice => ({ from: line, to: line - 1, lines })

/** Adds notes to the section, the header of which is `header`; instead of the word for none where it has no others. */
const intoSection = (
  header: Line,
  { inline, lines }: { readonly inline: string; readonly lines: ReadonlyArray<Line> },
  notes: ReadonlyArray<string>,
): ReadonlyArray<Splice> => {
  const there = new Set(lines.map(line => bare(shownOf(line))))
  const missing = notes.filter(note => !note.split('\n').every(line => there.has(bare(line))))
  const fresh = missing.flatMap(noteLines)
  const written = lines.filter(line => line._tag !== 'Blank')
  const last = written.at(-1)
  if (fresh.length === 0) return []
  if (last !== undefined && !written.every(line => isNone(shownOf(line))))
    return [before(last.number + 1, fresh)]
  const shown = shownOf(header)
  const plain = inline !== '' && isNone(inline) ? shown.slice(0, shown.lastIndexOf('**') + 2) : shown
  return [{ from: header.number, to: last?.number ?? header.number, lines: [plain, ...fresh] }]
}

const withSection = (
  lines: ReadonlyArray<Line>,
  described: number | null,
  notes: ReadonlyArray<string>,
): ReadonlyArray<Splice> => {
  const fresh = ['**Dodatkowe informacje:**', ...notes.flatMap(noteLines)]
  if (described !== null) return [before(described, [...fresh, ''])]
  const last = lines.at(-1)
  return [before(lines.length + 1, [...(last === undefined || last._tag === 'Blank' ? [] : ['']), ...fresh])]
}
