import { nameKey, type RepoPath } from '#protocol/atoms.js'
import type { Reference } from '#protocol/entity-writes.js'
import { ownerMeant } from '#src/domain/entities/entities.js'
import type { Entities, Entity } from '#src/domain/entities/entity.js'
import { roleOf, type SourceFile } from '#src/domain/lore/layout.js'
import { rawLines } from '#src/domain/lore/lines.js'
import type { Row } from '#src/domain/lore/row-change.js'

/** A row of a file that names a block. */
export interface NamingRow {
  readonly path: RepoPath
  readonly row: Row
  readonly holder: Entity
}

/** Whether a value is the name, or a path with the name as one part. */
const names = (value: string, key: string): boolean =>
  nameKey(value) === key || (value.includes('/') && value.split('/').some(part => nameKey(part) === key))

/** The rows of files that name a block, each once, although `@ref` can show one row in several blocks. */
export const rowsThatName = ({ all }: Entities, { key }: Entity): ReadonlyArray<NamingRow> => {
  const rows = new Map<string, NamingRow>()
  for (const holder of all)
    for (const row of holder.rows) {
      if (row.source._tag !== 'File' || !names(row.value, key)) continue
      const { path } = row.source
      const place = `${path}:${row.line}`
      if (!rows.has(place)) rows.set(place, { path, row, holder })
    }
  return [...rows.values()]
}

/** Whether a row names the block as owner, by its heading (B 4.1). */
export const isOwnerRow = (entities: Entities, entity: Entity, { row, holder }: NamingRow): boolean =>
  row.tag === 'należy_do' &&
  nameKey(row.value) === entity.key &&
  ownerMeant(entities, holder, row.value) === entity

/** A line that a report groups by file and tag. */
export interface Mention {
  readonly file: string
  readonly tag: string | null
  readonly line: number
}

export const mentionOf = ({ path, row }: NamingRow): Mention => ({
  file: path,
  tag: row.tag,
  line: row.line,
})

export const mentionPlace = ({ file, line }: Pick<Mention, 'file' | 'line'>): string => `${file}:${line}`

/** Groups mentions by file and tag, their lines ascending. */
export const groupMentions = (mentions: ReadonlyArray<Mention>): ReadonlyArray<Reference> => {
  const groups = new Map<string, { readonly file: string; readonly tag: string | null; lines: Set<number> }>()
  for (const { file, tag, line } of mentions) {
    const key = `${file}\n${tag ?? ''}`
    const group = groups.get(key) ?? { file, tag, lines: new Set<number>() }
    group.lines.add(line)
    groups.set(key, group)
  }
  return [...groups.values()].map(({ file, tag, lines }) => ({
    file,
    tag,
    lines: [...lines].sort((one, other) => one - other),
  }))
}

const isLetter = (char: string | undefined): boolean => char !== undefined && /[\p{L}\p{N}]/u.test(char)

const mentions = (text: string, name: string): boolean => {
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1))
    if (!isLetter(text[at - 1]) && !isLetter(text[at + name.length])) return true
  return false
}

/** Lines of all files except the registry that contain a name as written, as whole words. */
export const textMentions = (
  files: ReadonlyMap<string, SourceFile>,
  name: string,
): ReadonlyArray<Mention> => {
  const found: Array<Mention> = []
  for (const file of files.values()) {
    if (roleOf(file.path) === 'registry' || !file.text.includes(name)) continue
    rawLines(file.text).forEach((line, at) => {
      if (mentions(line, name)) found.push({ file: file.path, tag: null, line: at + 1 })
    })
  }
  return found
}
