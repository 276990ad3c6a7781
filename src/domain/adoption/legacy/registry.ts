import { type Day, type EntityType, nameKey, type RepoPath } from '#protocol/atoms.js'
import type { Finding } from '#src/domain/lore/finding.js'
import type { SourceFile } from '#src/domain/lore/layout.js'
import { activeOn, type Range, splitRange } from '#src/domain/lore/rows/days.js'
import { tagOf } from '#src/domain/lore/rows/rows.js'
import {
  descendantsOf,
  findingOfNotice,
  holdsWebhook,
  itemsAt,
  type OutlineItem,
  type OutlineSection,
  outlineOf,
  redactWebhooks,
  revoke,
} from './outline.js'

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

/**
 * A tag of a legacy entity. `from` and `to` are the bounds as written, which keeps their precision; empty is
 * open.
 */
export interface LegacyRow {
  /** NFC, lower case, without the at sign. */
  readonly tag: string
  /** Continuation and nested lines joined by newlines, without the range. */
  readonly value: string
  readonly range: Range
  readonly from: string
  readonly to: string
  readonly path: RepoPath
  readonly line: number
}

/** A row as findings quote it: value and range. */
export const quoteRow = ({ value, from, to }: Pick<LegacyRow, 'value' | 'from' | 'to'>): string =>
  `"${value}${from === '' && to === '' ? '' : ` (${from}:${to})`}"`

/**
 * A row with the range cut off the first line of its value (FORMATS 1.5: nested text is never range-parsed as
 * a whole).
 */
export const readDatedRow = (tag: string, value: string, place: Place): LegacyRow => {
  const [first = '', ...rest] = value.split('\n')
  const ranged = splitRange(first)
  const text = [ranged.text, ...rest.map(line => line.trim())].filter(line => line !== '').join('\n')
  const cut = ranged.text !== first.trim()
  const inside = cut ? first.trim().slice(first.trim().lastIndexOf('(') + 1, -1) : ':'
  const colon = inside.indexOf(':')
  return {
    tag,
    value: text,
    range: ranged.range,
    from: ranged.range.from === null ? '' : inside.slice(0, colon).trim(),
    to: ranged.range.to === null ? '' : inside.slice(colon + 1).trim(),
    path: place.path,
    line: place.line,
  }
}

/**
 * The type that a section header or a `@typ` value names; `Organizacja` counts as Grupa (FORMATS 1.2, 10).
 * Null: free text.
 */
export const typeOfWord = (text: string): EntityType | null => words.get(nameKey(text)) ?? null

/**
 * The type that a `@typ` gives to an index block. Gracze belong to the contributor store, so that word is
 * free text here.
 */
export const indexTypeOf = (text: string): EntityType | null => {
  const type = typeOfWord(text)
  return type === 'Gracz' ? null : type
}

/** Rows in the deciding order: undated first, then by FROM, ties by primacy (FORMATS 1.5). */
export const byFrom = (rows: ReadonlyArray<LegacyRow>): ReadonlyArray<LegacyRow> =>
  [...rows].sort((left, right) =>
    fromKey(left) === fromKey(right) ? 0 : fromKey(left) < fromKey(right) ? -1 : 1,
  )

/** The row of a scalar on the day: its last active one. */
export const legacyScalarOn = (rows: ReadonlyArray<LegacyRow>, tag: string, day: Day): LegacyRow | null =>
  activeRows(rows, tag, day).at(-1) ?? null

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

interface LegacyRows {
  readonly rows: ReadonlyArray<LegacyRow>
  readonly findings: ReadonlyArray<Finding>
}

type Place = Pick<LegacyRow, 'path' | 'line'>

const suspectRange = (tag: string, value: string, place: Place, subject: string): ReadonlyArray<Finding> => {
  const [first = ''] = value.split('\n')
  if (!splitRange(first).suspect) return []
  return [
    findingOfNotice({
      kind: 'RangeUnreadable',
      severity: 'warning',
      file: place.path,
      line: place.line,
      subject,
      reason: `@${tag}: "${first}" ends in a range that does not exist; the readable part was adopted.`,
      suggestion: 'Write the bounds as YYYY, YYYY-MM or YYYY-MM-DD.',
    }),
  ]
}

type Tag = NonNullable<ReturnType<typeof tagOf>>

const emptyTag = (path: RepoPath, line: number, subject: string, text: string): Finding =>
  findingOfNotice({
    kind: 'EmptyTag',
    severity: 'info',
    file: path,
    line,
    subject,
    reason: `"${text}" has no value; no row was written.`,
  })

const readTaggedRows = (
  section: OutlineSection,
  item: OutlineItem,
  tag: Tag,
  at: { readonly path: RepoPath; readonly subject: string },
): LegacyRows => {
  const nested = descendantsOf(section, item)
  const perBullet = tag.tag === 'alias' || tag.tag === 'generyczne_nazwy'
  const texts = perBullet
    ? [{ text: tag.value, line: item.line }, ...nested]
    : [{ text: [tag.value, ...nested.map(below => below.text)].join('\n'), line: item.line }]
  const rows = texts
    .map(({ text, line }) => readDatedRow(tag.tag, text, { path: at.path, line }))
    .filter(row => row.value !== '')
  const suspects = texts.flatMap(({ text, line }) =>
    suspectRange(tag.tag, text, { path: at.path, line }, at.subject),
  )
  const empty = rows.length === 0 ? [emptyTag(at.path, item.line, at.subject, item.text)] : []
  return { rows, findings: [...suspects, ...empty] }
}

const strayChild = (
  section: OutlineSection,
  item: OutlineItem,
  at: { readonly path: RepoPath; readonly subject: string },
): LegacyRows => {
  const place = { file: at.path, line: item.line, subject: at.subject } as const
  const below = descendantsOf(section, item).map(deeper =>
    findingOfNotice({
      ...place,
      line: deeper.line,
      kind: 'UnplacedText',
      severity: 'warning',
      reason: `Not adopted: "${deeper.text}".`,
    }),
  )
  if (item.text.startsWith('@')) {
    const reason = `"${item.text}" has no colon, so it is not a tag; it was not adopted.`
    return {
      rows: [],
      findings: [
        findingOfNotice({ ...place, kind: 'TagWithoutColon', severity: 'warning', reason }),
        ...below,
      ],
    }
  }
  const row = readDatedRow('alias', item.text.replaceAll('\n', ' '), { path: at.path, line: item.line })
  const reason = `"${item.text}" has no tag; it was adopted as @alias, which it meant in the oldest files.`
  return {
    rows: [row],
    findings: [findingOfNotice({ ...place, kind: 'BareChild', severity: 'info', reason }), ...below],
  }
}

/** The rows in the direct children of an entity bullet (FORMATS 1.3, 1.6). */
const readSectionRows = (
  section: OutlineSection,
  children: ReadonlyArray<number>,
  at: { readonly path: RepoPath; readonly subject: string },
): LegacyRows => {
  const read = itemsAt(section, children).map(item => {
    const tag = tagOf(item.text)
    return tag === null || tag.tag.includes('\n')
      ? strayChild(section, item, at)
      : readTaggedRows(section, item, tag, at)
  })
  return { rows: read.flatMap(part => part.rows), findings: read.flatMap(part => part.findings) }
}

const words: ReadonlyMap<string, EntityType> = new Map([
  ['npc', 'NPC'],
  ['organizacja', 'Grupa'],
  ['organizacje', 'Grupa'],
  ['grupa', 'Grupa'],
  ['grupy', 'Grupa'],
  ['lokacja', 'Lokacja'],
  ['lokacje', 'Lokacja'],
  ['mapa', 'Mapa'],
  ['mapy', 'Mapa'],
  ['region', 'Region'],
  ['regiony', 'Region'],
  ['gracz', 'Gracz'],
  ['gracze', 'Gracz'],
  ['postać', 'Postać'],
  ['postaci', 'Postać'],
  ['postać (gracz)', 'Postać'],
  ['postaci (gracze)', 'Postać'],
  ['przedmiot', 'Przedmiot'],
  ['przedmioty', 'Przedmiot'],
])

const fromKey = (row: LegacyRow): string => row.range.from ?? ''

/** Rows of a tag that cover the day. */
const activeRows = (rows: ReadonlyArray<LegacyRow>, tag: string, day: Day): ReadonlyArray<LegacyRow> =>
  byFrom(rows.filter(row => row.tag === tag && activeOn(row.range, day)))
