import type { NameKey, RepoPath } from '#protocol/atoms.js'
import type { Finding } from '#src/domain/lore/finding.js'
import type { Row } from '#src/domain/lore/rows/row.js'

/**
 * A `### Person` block under `## Gracz` of the contributor store. Its fields on a day are computed from
 * `rows`.
 */
export interface Person {
  readonly name: string
  readonly key: NameKey
  readonly file: RepoPath
  readonly line: number
  readonly endLine: number
  /** In the deciding order, without credentials. */
  readonly rows: ReadonlyArray<Row>
}

/** A `### Role` block under `## Role`: the guild roles that carry its rights (A 4.4). */
export interface RoleBlock {
  readonly name: string
  readonly chatRoles: ReadonlyArray<string>
  readonly line: number
}

/** The parsed contributor store. */
export interface People {
  readonly all: ReadonlyArray<Person>
  /**
   * Further blocks under the heading of another one. Their rows are ignored, and a key in them counts as a
   * duplicate.
   */
  readonly repeated: ReadonlyArray<Person>
  readonly byName: ReadonlyMap<NameKey, Person>
  readonly byAlias: ReadonlyMap<NameKey, ReadonlyArray<Person>>
  readonly roles: ReadonlyArray<RoleBlock>
  readonly findings: ReadonlyArray<Finding>
}
