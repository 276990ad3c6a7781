/** A limit with its unit, so that it can be read without the code. */
export interface BoundRow {
  readonly limit: number
  readonly unit: string
  /** What the bound limits, in words of the reference. */
  readonly of: string
}

const row = (limit: number, unit: string, of: string): BoundRow => ({ limit, unit, of })

/**
 * The bounds of a write (D64): the one source of the numbers, of the refusal `BoundExceeded`, which names a
 * key of this table, and of the table in `docs/spec/bounds.md`. Characters are UTF-16 code units. Lore above
 * a bound is still read and is a finding.
 */
export const bounds = {
  requestValues: row(200, 'values', 'the lists and records of one request body'),
  nameChars: row(200, 'characters', 'a heading, another spelling, a title or a narrator'),
  valueBytes: row(8 * 1024, 'bytes of UTF-8', 'one value of a tag, one entry or any other text of a body'),
  blockRows: row(2000, 'rows', 'one block of an index file or of the contributor store'),
  sessionItems: row(500, 'items', 'all blocks of one session body together'),
  sessionNarrators: row(20, 'narrators', 'one session body'),
  proseChars: row(200_000, 'characters', 'the prose of one session body'),
  proseLines: row(10_000, 'lines', 'the prose of one session body'),
  ownCharacters: row(
    20,
    'Postacie',
    'one Gracz, deleted ones included, where the caller has only `player.write.own`',
  ),
  ownBytes: row(
    256 * 1024,
    'bytes of UTF-8',
    'the Postacie of one Gracz (blocks and files) and their reports of sessions, where the caller has only ' +
      '`player.write.own`, or reports without `session.write`',
  ),
} as const satisfies Readonly<Record<string, BoundRow>>

/** Most values in any body, lists and records included. A body with more is refused before it is decoded. */
export const bodyValuesMax = 5000

/** The limits of a committed configuration; a file above them does not parse (D53). */
export const configBounds = {
  bytes: 256 * 1024,
  /** Lists and records included. */
  values: 5000,
} as const

export type BoundId = keyof typeof bounds

/**
 * How a text of a body is limited: `prose` by the rule of its row, `lookup` not at all, because it only names
 * what exists.
 */
export type TextKind = 'name' | 'value' | 'prose' | 'lookup'

/** The limits of a row's body that differ from the ordinary ones (`docs/spec/bounds.md`). */
export interface BodyBounds {
  /** Fields at the top of the body that are not values; for a list each of its texts. */
  readonly texts: Readonly<Record<string, TextKind>>
  /** `items`: the rule of the row counts the content of the body (`sessionItems`). */
  readonly counts: 'values' | 'items'
}

/** A body whose texts are values, and which is counted by values. */
export const plainBody: BodyBounds = { texts: {}, counts: 'values' }

/** A body with a `name` that becomes a heading. */
export const namingBody: BodyBounds = { texts: { name: 'name' }, counts: 'values' }

/** A body whose `match` repeats an existing text of any length. */
export const matchingBody: BodyBounds = { texts: { match: 'lookup' }, counts: 'values' }

/** A session: prose and blocks have limits of their own, because a session may be longer than a tag. */
export const sessionBody: BodyBounds = {
  texts: { title: 'name', narrators: 'name', content: 'prose' },
  counts: 'items',
}
