import * as t from 'io-ts'

export interface CommitBrand {
  readonly CommitId: unique symbol
}
export interface BlobBrand {
  readonly BlobId: unique symbol
}

const isObjectId = (text: string): boolean => /^([0-9a-f]{40}|[0-9a-f]{64})$/.test(text)

/** A full commit id (D27). */
export const CommitId = t.brand(
  t.string,
  (text): text is t.Branded<string, CommitBrand> => isObjectId(text),
  'CommitId',
)
export type CommitId = t.TypeOf<typeof CommitId>

/** The content id of a file: git's blob id, also when a plain directory is served. */
export const BlobId = t.brand(
  t.string,
  (text): text is t.Branded<string, BlobBrand> => isObjectId(text),
  'BlobId',
)
export type BlobId = t.TypeOf<typeof BlobId>
