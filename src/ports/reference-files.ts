/** A file of the reference, as it was read. */
export interface ReferenceFile {
  /** Its media type, with the charset. */
  readonly type: string
  readonly bytes: Buffer
}

/** Reads a file of the reference by its name; null where there is none. Any text may be asked for. */
export type ReadReference = (name: string) => Promise<ReferenceFile | null>
