/**
 * A transcript of play as the archive keeps it: `<name>.txt` is what was fetched, and `<name>.json` (the sidecar) is
 * this value. The sidecar is a function of the bytes, the address and the version of the parser, so two hosts write
 * equal blobs.
 */
export interface Transcript {
  /** The version of the parser that made this. */
  readonly parser: number
  readonly name: string
  readonly address: string
  /** Of the bytes of `<name>.txt`, lower-case hex. */
  readonly sha256: string
  /** The id of the row of the table of formats that read it. */
  readonly format: string
  readonly lines: ReadonlyArray<SpokenLine>
  readonly segments: ReadonlyArray<Segment>
  /** How many lines no format could read; each is kept with the kind `unread`. */
  readonly unread: number
}

/**
 * What a line is. `say`: somebody spoke; `act`: an emote; `note`: joins, leaves and the like; `place`: begins a
 * segment; `unread`: no format could read it.
 */
export type LineKind = 'say' | 'act' | 'note' | 'place' | 'unread'

/** One line of a transcript. With the speaker as resolved, and its stage, it has the thirteen fields of an answer. */
export interface SpokenLine {
  /** From 0, without gaps. */
  readonly index: number
  /** `HH:MM` or `HH:MM:SS` of 24 hours; null where the line has no time. */
  readonly time: string | null
  /** Midnights since the first line. */
  readonly day: number
  readonly kind: LineKind
  readonly channel: string | null
  /** Index in `segments`; null before the first. */
  readonly segment: number | null
  /** As written. */
  readonly speaker: string | null
  readonly text: string
  /** A roll of dice, as written; null where there is none. */
  readonly dice: string | null
  /** The byte range of the line in `<name>.txt`, its line end included: the lines cover the file without a gap. */
  readonly start: number
  readonly end: number
}

/** A stretch of a transcript in one place. */
export interface Segment {
  /** The heading of the place, as written. */
  readonly place: string
  /** Indexes of its lines; `last` is inclusive. */
  readonly first: number
  readonly last: number
}
