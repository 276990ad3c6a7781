import { hash } from 'node:crypto'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { type DerivedKind, derivedKinds } from '#protocol/fleet/derived.js'
import { type Artifact, type Artifacts, artifactBytesMax } from '#src/domain/fleet/derived.js'
import { readJson } from '#src/domain/json/json-text.js'
import { realDisk } from '../landing/disk.js'
import { makeFolderInState } from './state-area.js'

/** A file of an artifact that cannot be used. */
export interface DamagedArtifact {
  readonly kind: DerivedKind
  readonly reason: string
}

/** The artifacts in the state area, each checked by its sha256; a damaged one counts as absent. */
export const readArtifacts = (
  state: string,
): { readonly artifacts: Artifacts; readonly damaged: ReadonlyArray<DamagedArtifact> } => {
  const artifacts = new Map<DerivedKind, Artifact>()
  const damaged: Array<DamagedArtifact> = []
  for (const kind of derivedKinds) {
    const path = join(state, 'derived', kind)
    if (!existsSync(path)) continue
    const read = readArtifact(path, kind)
    if (isLeft(read)) damaged.push({ kind, reason: read.left })
    else artifacts.set(kind, read.right)
  }
  return { artifacts, damaged }
}

/** Puts an artifact into the state area; it is on disk when this resolves. Rejects where the disk refuses. */
export const keepArtifact = async (
  state: string,
  { kind, stamp, sha256, bytes }: Artifact,
): Promise<void> => {
  const folder = join(state, 'derived')
  const [path, draft] = [join(folder, kind), join(folder, `${kind}.new`)]
  makeFolderInState(folder)
  await realDisk.remove(draft)
  const head = Buffer.from(`${JSON.stringify({ stamp, sha256 })}\n`)
  await realDisk.write(draft, Buffer.concat([head, bytes]), 0o600)
  await realDisk.rename(draft, path)
  await realDisk.syncFolder(folder)
}

/** The first line of a file; the bytes of the artifact follow. One file, so that both change at once. */
const Head = t.type({ stamp: t.string, sha256: t.string })

const headBytesMax = 1_024

const artifactIn = (kind: DerivedKind, file: Buffer): Either<string, Artifact> => {
  const end = file.subarray(0, headBytesMax).indexOf(0x0a)
  const parsed = readJson(file.subarray(0, Math.max(0, end)).toString('utf8'))
  if (isLeft(parsed) || !Head.is(parsed.right)) return left('its head cannot be read')
  const { stamp, sha256 } = parsed.right
  const bytes = file.subarray(end + 1)
  return hash('sha256', bytes, 'hex') === sha256
    ? right({ kind, stamp, sha256, bytes })
    : left('its bytes are not those of its sha256')
}

const readArtifact = (path: string, kind: DerivedKind): Either<string, Artifact> => {
  try {
    const { size } = statSync(path)
    return size > artifactBytesMax + headBytesMax
      ? left(`it has more than ${artifactBytesMax} bytes`)
      : artifactIn(kind, readFileSync(path))
  } catch (error) {
    return left(error instanceof Error ? error.message : String(error))
  }
}
