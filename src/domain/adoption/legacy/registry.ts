import { type EntityType, nameKey, type RepoPath } from '#protocol/atoms.js'
import type { Finding } from '#src/domain/lore/finding.js'
import { tagOf } from '#src/domain/lore/rows/rows.js'
import type { SourceFile } from '#src/domain/lore/source-file.js'
import { findingOfNotice } from './noticed.js'
import { descendantsOf, itemsAt, type OutlineItem, type OutlineSection, outlineOf } from './outline.js'
import { type LegacyRow, readDatedRow, readSectionRows } from './registry-row.js'
import { holdsWebhook, redactWebhooks, revoke } from './secret.js'
import { typeOfWord } from './type-word.js'

/**
 * An entity of the legacy registry: all its bullets merged, rows in processing order, weakest file first
 * (FORMATS 1.3).
 */
export interface LegacyEntity {
  /** Type of the section, `Organizacja` counts as Grupa; under an unknown header that of `@typ`. */
  readonly type: EntityType
  /** NFC, trimmed, blanks collapsed. */
  readonly name: string
  readonly rows: ReadonlyArray<LegacyRow>
  readonly path: RepoPath
  readonly line: number
}

/** The parsed legacy registry. `byKey` is keyed by `registryKey`. */
export interface LegacyRegistry {
  readonly entities: ReadonlyArray<LegacyEntity>
  readonly byKey: ReadonlyMap<string, LegacyEntity>
  readonly sources: ReadonlyArray<RepoPath>
  readonly findings: ReadonlyArray<Finding>
}

/** Identity of a legacy entity: section type and name, without case. */
export const registryKey = (type: EntityType, name: string): string => `${type}/${nameKey(name)}`

interface Read {
  readonly entities: ReadonlyArray<LegacyEntity>
  readonly findings: ReadonlyArray<Finding>
}

const cleanName = (text: string): string => text.normalize('NFC').replace(/\s+/gu, ' ').trim()

const unplacedFinding = (path: RepoPath, line: number, kind: string, text: string, why: string): Finding =>
  findingOfNotice({
    kind,
    severity: /[\p{L}\p{N}]/u.test(text) ? 'warning' : 'info',
    file: path,
    line,
    reason: `${why} Not adopted: "${text.trim()}".`,
    suggestion: 'Copy it into an index block by hand, or leave it here.',
  })

/** A root bullet, and the roots after it that are tags written at the margin by mistake. */
interface Group {
  readonly item: OutlineItem
  readonly strays: ReadonlyArray<number>
}

const groupItems = (section: OutlineSection): ReadonlyArray<Group> => {
  const groups: Array<{ item: OutlineItem; strays: Array<number> }> = []
  for (const root of section.roots) {
    const item = section.items[root]
    if (item === undefined) continue
    const last = groups.at(-1)
    if (last !== undefined && tagOf(item.text) !== null) last.strays.push(root)
    else groups.push({ item, strays: [] })
  }
  return groups
}

const misplacementFinding = (path: RepoPath, name: string, stray: OutlineItem): Finding =>
  findingOfNotice({
    kind: 'MisplacedTag',
    severity: 'warning',
    file: path,
    line: stray.line,
    subject: name,
    reason: `"${stray.text}" is not indented; it was adopted as a tag of "${name}" above it.`,
  })

const readUntyped = (path: RepoPath, section: OutlineSection, { item, strays }: Group): Read => {
  const why =
    tagOf(item.text) === null
      ? `It is under "${section.title}", which is not a section of the registry, and has no type.`
      : 'A tag with no entity above it.'
  const whole = [item, ...itemsAt(section, strays)].flatMap(one => [one, ...descendantsOf(section, one)])
  return {
    entities: [],
    findings: whole.map(part => unplacedFinding(path, part.line, 'UntypedEntity', part.text, why)),
  }
}

const entityOf = (path: RepoPath, section: OutlineSection, group: Group): Read => {
  const { item, strays } = group
  const [first = '', ...more] = item.text.split('\n')
  const name = cleanName(redactWebhooks(first))
  const own = readSectionRows(section, [...item.children, ...strays], { path, subject: name })
  const text = more.length === 0 ? [] : [readDatedRow('info', more.join('\n'), { path, line: item.line })]
  const rows = [...text, ...own.rows]
  const named = rows.filter(row => row.tag === 'typ').map(row => typeOfWord(row.value))
  const type = typeOfWord(section.title) ?? named.find(word => word !== null) ?? null
  if (type === null || tagOf(item.text) !== null) return readUntyped(path, section, group)
  const notes = itemsAt(section, strays).map(stray => misplacementFinding(path, name, stray))
  const secret = { kind: 'WebhookToRevoke', severity: 'warning', file: path, line: item.line } as const
  const reason = 'The name of an entity has a webhook in plain text; the address was not copied.'
  const told = holdsWebhook(first)
    ? [findingOfNotice({ ...secret, subject: name, reason, suggestion: revoke })]
    : []
  return {
    entities: [{ type, name, rows, path, line: item.line }],
    findings: [...told, ...own.findings, ...notes],
  }
}

const sectionOf = (path: RepoPath, section: OutlineSection): Read => {
  const read = groupItems(section).map(group => entityOf(path, section, group))
  const unknown =
    section.level > 0 && typeOfWord(section.title) === null
      ? [
          findingOfNotice({
            kind: 'UnknownSection',
            severity: section.items.length === 0 ? 'info' : 'warning',
            file: path,
            line: section.line,
            reason: `"${section.title}" is not a section of the registry.`,
          }),
        ]
      : []
  const loose = section.loose
    .filter(({ text }) => /[\p{L}\p{N}]/u.test(text))
    .map(({ line, text }) => unplacedFinding(path, line, 'UnplacedText', text, 'It belongs to no entity.'))
  return {
    entities: read.flatMap(part => part.entities),
    findings: [...unknown, ...read.flatMap(part => part.findings), ...loose],
  }
}

const mergeEntities = (read: ReadonlyArray<LegacyEntity>): ReadonlyMap<string, LegacyEntity> => {
  const known = new Map<string, { entity: LegacyEntity; rows: LegacyRow[] }>()
  for (const entity of read) {
    const key = registryKey(entity.type, entity.name)
    const before = known.get(key)
    if (before === undefined) known.set(key, { entity, rows: [...entity.rows] })
    else for (const row of entity.rows) before.rows.push(row)
  }
  return new Map([...known].map(([key, { entity, rows }]) => [key, { ...entity, rows }]))
}

/**
 * Parses the registry shards and merges them by primacy. `files` must be weakest first, as `registryFiles`
 * returns them. Never throws: text that cannot be placed is a finding that quotes it.
 */
export const readRegistry = (files: ReadonlyArray<SourceFile>): LegacyRegistry => {
  const read = files.flatMap(file => {
    const { sections, findings } = outlineOf(file)
    return [...sections.map(section => sectionOf(file.path, section)), { entities: [], findings }]
  })
  const byKey = mergeEntities(read.flatMap(part => part.entities))
  return {
    entities: [...byKey.values()],
    byKey,
    sources: files.map(file => file.path),
    findings: read.flatMap(part => part.findings),
  }
}
