/** A file of the reference pages with its content. */
export interface ReferenceFile {
  /** Its media type, with the charset. */
  readonly type: string
  readonly bytes: Buffer
}

/** Reads a file of the reference by name; null where there is none. Accepts any text as a name. */
export type ReadReference = (name: string) => Promise<ReferenceFile | null>
