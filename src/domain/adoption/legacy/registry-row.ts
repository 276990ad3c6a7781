import type { RepoPath } from '#protocol/atoms.js'
import type { Finding } from '#src/domain/lore/finding.js'
import { type Range, splitRange } from '#src/domain/lore/rows/range.js'
import { tagOf } from '#src/domain/lore/rows/rows.js'
import { findingOfNotice } from './noticed.js'
import { descendantsOf, itemsAt, type OutlineItem, type OutlineSection } from './outline.js'

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

export interface LegacyRows {
  readonly rows: ReadonlyArray<LegacyRow>
  readonly findings: ReadonlyArray<Finding>
}

type Place = Pick<LegacyRow, 'path' | 'line'>

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
export const readSectionRows = (
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
