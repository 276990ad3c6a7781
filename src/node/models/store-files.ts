import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { type Either, left, right } from 'fp-ts/lib/Either.js'
import { type RefusalOf, refuse } from '#protocol/refusal.js'
import {
  appendDurably,
  listStore,
  readArtifactFiles,
  readPlainFile,
  replaceDurably,
  signatureOf,
  storeFiles,
} from '#src/adapters/models/model-files.js'
import {
  type Artifact,
  type ArtifactFile,
  type ArtifactFiles,
  artifactFiles,
  readArtifact,
} from '#src/domain/models/artifact.js'
import { isWithinNoise } from '#src/domain/models/bootstrap.js'
import { emptyLedger, type Ledger, liveIn, liveText, readLedger } from '#src/domain/models/ledger.js'
import { noRuns, type Runs, readRuns } from '#src/domain/models/runs.js'
import { type ModelStore, readFrames, surfaceOf } from '#src/domain/models/store.js'
import { runDaemonWork } from '#src/kernel/work-scheduler.js'

/** The folder of the store, as narrow as the store needs it: tests keep it in memory. */
export interface StoreDisk {
  readonly list: () => Promise<{ readonly exists: boolean; readonly ids: ReadonlyArray<string> }>
  /** Equal texts mean that the artifact has not changed. */
  readonly signature: (id: string) => Promise<string>
  readonly readArtifact: (id: string) => Promise<ArtifactFiles>
  readonly read: (file: keyof typeof storeFiles) => Promise<ArtifactFile>
  /** Appends a line; it is on disk when this returns. Throws where the disk refuses. */
  readonly append: (file: 'ledger' | 'runs', line: string) => void
  /** Replaces `live.json`; it is on disk when this returns. Throws where the disk refuses. */
  readonly replaceLive: (text: string) => void
}

/** The folder of the store on the disk of this host. */
export const storeDisk = (root: string): StoreDisk => ({
  list: () => listStore(root),
  signature: async id => {
    const paths = ['', ...Object.values(artifactFiles).map(({ name }) => name)]
    return (await Promise.all(paths.map(path => signatureOf(join(root, id, path))))).join('\n')
  },
  readArtifact: id => readArtifactFiles(root, id),
  read: file => readPlainFile(join(root, storeFiles[file].name), storeFiles[file].bytesMax),
  append: (file, line) => appendDurably(root, storeFiles[file].name, line),
  replaceLive: text => replaceDurably(root, storeFiles.live.name, text),
})

/** Reads a store, and what has changed of one that was read before. */
export interface StoreReader {
  /** Rejects where the disk refuses. The same value as before where nothing has changed. */
  readonly read: () => Promise<ModelStore>
  /** Reads one artifact anew; undefined where there is no folder of that id. */
  readonly readOne: (id: string) => Promise<Artifact | undefined>
}

export const noStore: ModelStore = {
  exists: false,
  version: 'none',
  artifacts: new Map(),
  ledger: emptyLedger,
  runs: noRuns,
  frames: null,
}

export const storeReader = (disk: StoreDisk): StoreReader => {
  let known = new Map<string, { readonly signature: string; readonly artifact: Artifact }>()
  let last = noStore
  const readOne = async (id: string): Promise<Artifact> =>
    runDaemonWork(readArtifact(await disk.readArtifact(id)))
  const ledger = cached(readLedger, emptyLedger)
  const runs = cached(readRuns, noRuns)
  return {
    readOne: async id => ((await disk.list()).ids.includes(id) ? readOne(id) : undefined),
    read: async () => {
      const { exists, ids } = await disk.list()
      const found: typeof known = new Map()
      for (const id of ids) {
        const signature = await disk.signature(id)
        const before = known.get(id)
        found.set(id, before?.signature === signature ? before : { signature, artifact: await readOne(id) })
      }
      known = found
      const files = [await disk.read('ledger'), await disk.read('runs'), await disk.read('frames')] as const
      const version = versionOf(
        exists,
        [...known.values()].map(({ artifact }) => artifact),
        files,
      )
      if (version === last.version) return last
      last = {
        exists,
        version,
        artifacts: new Map([...known].map(([id, { artifact }]) => [id, artifact])),
        ledger: ledger(files[0]),
        runs: runs(files[1]),
        frames: files[2]._tag === 'Bytes' ? readFrames(files[2].bytes.toString('utf8')) : null,
      }
      compareAll(last)
      return last
    },
  }
}

/** Whether `live.json` says what the ledger says; null where the ledger cannot be read, so nothing is known. */
export const findLiveTrouble = async (
  disk: StoreDisk,
  { exists, ledger }: Pick<ModelStore, 'exists' | 'ledger'>,
): Promise<{ readonly isRight: boolean; readonly seq: number } | null> => {
  if (!exists || ledger.trouble !== null) return null
  const file = await disk.read('live')
  if (file._tag === 'Missing') return { isRight: ledger.rows.length === 0, seq: 0 }
  const text = file._tag === 'Bytes' ? file.bytes.toString('utf8') : ''
  return { isRight: text === liveText(ledger), seq: seqIn(text) }
}

/** The number of the row that `live.json` was written for; 0 where it does not say. */
const seqIn = (text: string): number => {
  const found = /"seq": (\d{1,15})/u.exec(text)?.[1]
  return found === undefined ? 0 : Number(found)
}

/** Runs a write of the disk; its error is the refusal of a request. */
export const orRefused = (what: string, write: () => void): Either<RefusalOf<'DiskRefused'>, null> => {
  try {
    write()
    return right(null)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
    return left(
      refuse(
        'DiskRefused',
        `${what} could not be recorded (${code}). Fix the disk of this host, then try again.`,
      ),
    )
  }
}

/** The version of a store after a line was added to one of its files. */
export const versionAfter = ({ version }: Pick<ModelStore, 'version'>, line: object): string =>
  createHash('sha256')
    .update(`${version} ${JSON.stringify(line)}`)
    .digest('base64url')

/** Parses a file of lines again only where its bytes have changed. What cannot be read has a `trouble`. */
const cached = <A extends Ledger | Runs>(parse: (text: string) => A, empty: A) => {
  let last: { readonly sha256: string; readonly value: A } | null = null
  return (file: ArtifactFile): A => {
    if (file._tag === 'Missing') return empty
    if (file._tag === 'Refused') return { ...empty, trouble: file.why }
    if (last?.sha256 !== file.sha256)
      last = { sha256: file.sha256, value: parse(file.bytes.toString('utf8')) }
    return last.value
  }
}

const versionOf = (
  exists: boolean,
  artifacts: ReadonlyArray<Artifact>,
  files: ReadonlyArray<ArtifactFile>,
): string => {
  if (!exists) return noStore.version
  const digest = createHash('sha256')
  for (const { id, fingerprint } of artifacts) digest.update(`${id} ${fingerprint}\n`)
  for (const file of files)
    digest.update(`${file._tag === 'Bytes' ? file.sha256 : file._tag === 'Missing' ? '-' : file.why}\n`)
  return digest.digest('base64url')
}

/** Resamples every candidate beside the live artifact of its surface now, so that no request waits for it. */
const compareAll = ({ artifacts, ledger }: ModelStore): void => {
  for (const artifact of artifacts.values()) {
    const surface = artifact.stamp?.surface ?? null
    const known = surface === null ? null : surfaceOf(surface)
    const live = known === null ? null : liveIn(ledger, known).live
    const other = live === null ? undefined : artifacts.get(live.id)
    if (other !== undefined && other !== artifact) isWithinNoise(artifact, other)
  }
}
