import { type Either, isLeft, mapLeft } from 'fp-ts/lib/Either.js'
import { decodeFile } from '#actors/corpus-keeper/read-entries.js'
import { type BlobId, RepoPath } from '#protocol/atoms.js'
import { exitCodes } from '#protocol/exit-code.js'
import { type CommittedFault, readCommitted } from '#src/domain/identity/committed-json.js'
import { FleetKeysFile, fleetKeysPath } from '#src/domain/identity/fleet-keys.js'
import type { SourceFile } from '#src/domain/lore/layout.js'
import type { Stop } from '#src/node/start/checkout.js'

const form =
  '{"epoch": 1, "keys": [{"kid": …, "town": …, "alg": "EdDSA", ' +
  '"jwk": {"kty": "OKP", "crv": "Ed25519", "x": …}, "notAfter": an instant or null}]}'

const whyOf = (fault: CommittedFault): string => {
  switch (fault._tag) {
    case 'Unread':
      return 'git cannot read its bytes'
    case 'TooLong':
      return `it has more than ${fault.charsMax} characters`
    case 'NoJson':
      return `it is no JSON at ${fault.path}: ${fault.reason}`
    case 'OtherForm':
      return `the field ${fault.path} is not as in ${form}`
  }
}

/** The published file of a commit as a source file. */
export const keysSource = ({
  blob,
  bytes,
}: {
  readonly blob: BlobId
  readonly bytes: Buffer
}): SourceFile => {
  const path = RepoPath.decode(fleetKeysPath)
  if (isLeft(path)) throw new Error(`${fleetKeysPath} is no path`)
  return decodeFile({ path: path.right, blob, bytes: bytes.length }, bytes)
}

/** The published keys of a file. Left: which field is wrong and what to do. */
export const parseStoredKeys = (file: SourceFile): Either<Stop, FleetKeysFile> =>
  mapLeft(
    (fault: CommittedFault): Stop => ({
      code: exitCodes.findings,
      reason:
        `${fleetKeysPath} of HEAD cannot be read: ${whyOf(fault)}. Fix it, or restore an earlier version ` +
        `(git log ${fleetKeysPath} lists them), and commit it.`,
    }),
  )(readCommitted(file, FleetKeysFile))
