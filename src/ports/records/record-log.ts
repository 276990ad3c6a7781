/** A line of a log: its number, and its JSON without the newline. */
export interface RecordLine {
  readonly seq: number
  readonly text: string
}

/** What opening a log found. Bytes are those of the files. */
export interface Opened {
  /** The number that the next line gets. */
  readonly next: number
  /** Bytes of a torn last line, which were cut off. */
  readonly tornBytes: number
  /**
   * Complete lines of the open segment that are not records. They stay, and their numbers are not used again.
   */
  readonly corruptLines: number
}

/** Where a reader stopped; a later read that starts after `seq` continues from here. */
export interface LogPlace {
  readonly seq: number
  readonly first: number
  readonly offset: number
}

export interface Page {
  readonly lines: ReadonlyArray<RecordLine>
  readonly place: LogPlace | null
  /** The lowest number that may still be in the log. */
  readonly oldest: number
}

export interface ReadLimits {
  readonly lines: number
  readonly bytes: number
}

/**
 * Numbered JSON lines in rotated files, for one writer and any number of readers. Writing calls run one after
 * the other, in the order of the calls.
 */
export interface RecordLog {
  /** Finds where the log continues, and cuts off a torn tail. */
  readonly open: () => Promise<Opened>
  /**
   * Numbers objects (as JSON) and appends them; `durable` waits for the disk. All or nothing: where it
   * rejects, no reader saw any of them, and none will unless the disk does not let them be removed.
   */
  readonly append: (objects: ReadonlyArray<string>, durable: boolean) => Promise<ReadonlyArray<RecordLine>>
  /** Lines after `after` up to `through`, in order, without the lines that are not records. */
  readonly read: (after: number, through: number, limits: ReadLimits, place: LogPlace | null) => Promise<Page>
  /** The newest lines before a number for which `keep` returns true, newest first. */
  readonly newest: (
    before: number,
    limit: number,
    keep: (line: RecordLine) => boolean,
  ) => Promise<ReadonlyArray<RecordLine>>
  /** Starts a new segment where the open one is too old, and deletes the segments past the retention. */
  readonly tidy: () => Promise<void>
  readonly bytes: () => number
  readonly close: () => Promise<void>
}

/** Objects as JSON in UTF-8, concatenated; `ends` holds the end of each. */
export interface PackedObjects {
  readonly bytes: Buffer
  readonly ends: ReadonlyArray<number>
}

/** A log for high-volume records. */
export interface StreamLog extends RecordLog {
  /** Appends many objects, without numbers returned and without waiting for the disk. */
  readonly appendPacked: (objects: PackedObjects) => Promise<void>
}
