import { hash } from 'node:crypto'
import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { type DerivedKind, DerivedRow, type DerivedStatus, derivedKinds } from '#protocol/fleet/derived.js'
import { readJson } from '#src/domain/json/json-text.js'

/** The largest artifact that a host keeps and serves: that of the largest answer. Each kind has one in memory. */
export const artifactBytesMax = 16 * 1024 * 1024

/** A derived artifact as this host keeps it. */
export interface Artifact {
  readonly kind: DerivedKind
  /** The version of the transcript archive that it describes. */
  readonly stamp: string
  /** Of `bytes`, in lower-case hex. */
  readonly sha256: string
  readonly bytes: Buffer
}

export type Artifacts = ReadonlyMap<DerivedKind, Artifact>

/** What an artifact is to an archive of this version; null: the host knows of no archive. */
export const artifactStatusOf = (artifact: Artifact | undefined, archive: string | null): DerivedStatus => {
  if (artifact === undefined) return 'absent'
  return artifact.stamp === archive ? 'fresh' : 'stale'
}

/** One row for each kind, in the order of the closed list. */
export const listDerived = (artifacts: Artifacts, archive: string | null): ReadonlyArray<DerivedRow> =>
  derivedKinds.map(kind => {
    const artifact = artifacts.get(kind)
    return {
      kind,
      status: artifactStatusOf(artifact, archive),
      stamp: artifact?.stamp ?? null,
      sha256: artifact?.sha256 ?? null,
      bytes: artifact?.bytes.length ?? null,
    }
  })

/** The kinds that do not describe this archive. */
export const kindsLacking = (artifacts: Artifacts, archive: string): ReadonlyArray<DerivedKind> =>
  derivedKinds.filter(kind => artifactStatusOf(artifacts.get(kind), archive) !== 'fresh')

/** The most bytes of a peer's list that are read; a list of today has about 300. */
export const listBytesMax = 65_536

/** A fresh artifact of a peer, as its row describes it. */
export interface Offer {
  readonly kind: DerivedKind
  readonly stamp: string
  readonly sha256: string
  readonly bytes: number
}

/** The offers of a peer for these kinds that describe this archive; Left for a text that is no list. */
export const readOffers = (
  text: string,
  kinds: ReadonlyArray<DerivedKind>,
  archive: string,
): Either<'bad_list', ReadonlyArray<Offer>> => {
  const parsed = readJson(text)
  if (isLeft(parsed) || !PeerList.is(parsed.right)) return left('bad_list')
  const { items } = parsed.right
  return right(
    kinds.flatMap(kind => {
      const offer = offerIn(items, kind, archive)
      return offer === null ? [] : [offer]
    }),
  )
}

/** The artifact of an offer, where the header, the length and the digest of what came agree with it. */
export const judgeCopy = (
  { kind, stamp, sha256, bytes: length }: Offer,
  came: { readonly stamp: string | null; readonly bytes: Buffer },
): Either<CopyFault, Artifact> => {
  if (came.stamp !== stamp) return left('other_stamp')
  if (came.bytes.length !== length) return left('other_length')
  if (hash('sha256', came.bytes, 'hex') !== sha256) return left('other_sha256')
  return right({ kind, stamp, sha256, bytes: came.bytes })
}

/** The list of a peer, which may be newer and have kinds that this host does not know. */
const PeerList = t.type({ items: t.readonlyArray(t.unknown) })

const sha256Hex = /^[0-9a-f]{64}$/

/** Whether a row is of this kind. `kind` is wider than the list of today, which has one kind. */
const isOfKind = (row: DerivedRow, kind: string): boolean => row.kind === kind

const offerIn = (rows: ReadonlyArray<unknown>, kind: DerivedKind, archive: string): Offer | null => {
  for (const row of rows) {
    if (!DerivedRow.is(row) || !isOfKind(row, kind) || row.status !== 'fresh') continue
    const { stamp, sha256, bytes } = row
    if (stamp !== archive || sha256 === null || !sha256Hex.test(sha256) || bytes === null) continue
    if (Number.isSafeInteger(bytes) && bytes > 0 && bytes <= artifactBytesMax)
      return { kind, stamp, sha256, bytes }
  }
  return null
}

/** Why the bytes of a peer are not kept. */
type CopyFault = 'other_stamp' | 'other_length' | 'other_sha256'
