/** A line of a log: its number, and its JSON without the newline. */
export interface Line {
  readonly seq: number
  readonly text: string
}

/** What the opening of a log found. Bytes are those of the files. */
export interface Opened {
  /** The number that the next line gets. */
  readonly next: number
  /** Bytes of a torn last line, which were cut off. */
  readonly tornBytes: number
  /** Whole lines of the open segment that are no records; they stay, and their numbers are not given again. */
  readonly corruptLines: number
}

/** Where a reader stopped: a later read that starts behind `seq` goes on from here. */
export interface Place {
  readonly seq: number
  readonly first: number
  readonly offset: number
}

export interface Page {
  readonly lines: ReadonlyArray<Line>
  readonly place: Place | null
  /** The lowest number that may still be in the log. */
  readonly oldest: number
}

export interface ReadLimits {
  readonly lines: number
  readonly bytes: number
}

/**
 * Numbered JSON lines in rotated files, for one writer and any number of readers. What writes is carried out one call
 * after the other, in the order of the calls.
 */
export interface RecordLog {
  /** Finds where the log goes on and cuts a torn tail. */
  readonly open: () => Promise<Opened>
  /**
   * Numbers objects (as JSON) and appends them; `durable` waits for the disk. All or nothing: where it rejects, none of
   * them was given to a reader, and none will be where the disk lets them be taken back.
   */
  readonly append: (objects: ReadonlyArray<string>, durable: boolean) => Promise<ReadonlyArray<Line>>
  /** Lines behind `after` up to `through`, in order; lines that are no records are left out. */
  readonly read: (after: number, through: number, limits: ReadLimits, place: Place | null) => Promise<Page>
  /** The newest lines before a number for which `keep` holds, newest first. */
  readonly newest: (
    before: number,
    limit: number,
    keep: (line: Line) => boolean,
  ) => Promise<ReadonlyArray<Line>>
  /** Starts a new segment where the open one is too old, and removes those that the retention does not keep. */
  readonly tidy: () => Promise<void>
  readonly bytes: () => number
  readonly close: () => Promise<void>
}

/** Objects as JSON in UTF-8, one behind the other; `ends` tells where each ends. */
export interface PackedObjects {
  readonly bytes: Buffer
  readonly ends: ReadonlyArray<number>
}

/** A log for records that come in great numbers. */
export interface StreamLog extends RecordLog {
  /** Appends many objects that are neither followed nor waited for. */
  readonly appendPacked: (objects: PackedObjects) => Promise<void>
}
