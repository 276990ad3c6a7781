import { randomBytes } from 'node:crypto'
import { lstat, mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import { type ExitCode, exitCodes } from '#protocol/exit-code.js'
import { isCode, realDisk } from '#src/adapters/landing/disk.js'
import { isRealFolder, readPlainFile } from '#src/adapters/models/model-files.js'
import { findDistrust, makeFolderInState } from '#src/adapters/state/state-area.js'
import { type AddedModel, type ModelAddOptions, type NotAdded, printAdded } from '#src/cli/model.js'
import type { Output } from '#src/cli/output.js'
import {
  type ArtifactFile,
  type ArtifactFiles,
  artifactFiles,
  isArtifactId,
  readArtifact,
} from '#src/domain/models/artifact.js'
import { storeFolder } from '#src/domain/models/store.js'
import { atOnce } from '#src/domain/slicing/sliced.js'
import { realClock } from '#src/kernel/time/clock.js'
import { reasonOf } from '../start/environment.js'

/**
 * `kronika model add`: copies an artifact into the store of a host, while its daemon runs or not. The store has all of
 * it under its id, or nothing: the files are written beside, and the folder is renamed when they are on disk.
 */
export const modelAdd =
  (output: Output) =>
  async (options: ModelAddOptions): Promise<ExitCode> => {
    try {
      return printAdded(await addModel(options), options, output, exitCodes.ok)
    } catch (error) {
      return printAdded(
        refuse(exitCodes.stateUnusable, `the state area refuses the artifact: ${reasonOf(error)}.`),
        options,
        output,
        exitCodes.ok,
      )
    }
  }

type Added = Either<NotAdded, AddedModel>

const refuse = (code: ExitCode, reason: string): Either<NotAdded, never> => left({ code, reason })

const addModel = async ({ folder, id: named, repo, state: given }: ModelAddOptions): Promise<Added> => {
  const source = resolve(folder)
  const id = named ?? basename(source)
  if (!isArtifactId(id))
    return refuse(
      exitCodes.usage,
      `${JSON.stringify(id)} cannot be the id of an artifact: give --id with at most 100 letters, digits, ".", "_" ` +
        'and "-", such as claims-2026-06.',
    )
  const state = given === undefined ? join(resolve(repo), '.svc/state') : resolve(given)
  if (!(await isRealFolder(state)))
    return refuse(exitCodes.usage, `there is no state area at ${state}; name the checkout with --repo.`)
  const doubt = findDistrust(resolve(repo), state, null)
  if (doubt !== null) return refuse(exitCodes.stateUnusable, `${doubt}.`)
  const read = await readSource(source, id)
  if (isLeft(read)) return read
  const root = join(state, storeFolder)
  if (await exists(join(root, id)))
    return refuse(exitCodes.findings, `this host has an artifact ${id} already; give another id with --id.`)
  makeFolderInState(root)
  await sweep(root)
  const written = await place(root, id, read.right.files)
  if (isLeft(written)) return written
  return right({ ...read.right.added, files: written.right })
}

interface Source {
  readonly files: ArtifactFiles
  readonly added: Omit<AddedModel, 'files'>
}

/** Reads the artifact of a folder. Any link in the folder keeps it out, whatever it leads to. */
const readSource = async (source: string, id: string): Promise<Either<NotAdded, Source>> => {
  if (!(await isRealFolder(source)))
    return refuse(exitCodes.usage, `${source} is no folder, or a symbolic link to one; name the real folder.`)
  const entries = await readdir(source, { withFileTypes: true })
  const link = entries.find(entry => entry.isSymbolicLink())
  if (link !== undefined)
    return refuse(
      exitCodes.findings,
      `${join(source, link.name)} is a symbolic link; put the file in its place.`,
    )
  const read = (file: keyof typeof artifactFiles): Promise<ArtifactFile> =>
    readPlainFile(join(source, artifactFiles[file].name), artifactFiles[file].bytesMax)
  const files: ArtifactFiles = {
    id,
    model: await read('model'),
    stamp: await read('stamp'),
    evaluation: await read('evaluation'),
  }
  const { isUsable, problems } = atOnce(readArtifact(files))
  if (!isUsable || files.evaluation._tag === 'Refused')
    return refuse(exitCodes.findings, `${source} is no whole artifact: ${problems.join('; ')}.`)
  const known: ReadonlyArray<string> = Object.values(artifactFiles).map(({ name }) => name)
  const leftOut = entries.map(({ name }) => name).filter(name => !known.includes(name))
  return right({ files, added: { id, leftOut: leftOut.sort(), problems } })
}

/** Writes the files beside and gives them their place. Returns the names of the files. */
const place = async (
  root: string,
  id: string,
  files: ArtifactFiles,
): Promise<Either<NotAdded, ReadonlyArray<string>>> => {
  const draft = join(root, `${draftPrefix}${randomBytes(8).toString('hex')}`)
  const names: Array<string> = []
  try {
    await mkdir(draft, { mode: 0o700 })
    for (const file of ['model', 'stamp', 'evaluation'] as const) {
      const content = files[file]
      if (content._tag !== 'Bytes') continue
      await realDisk.write(join(draft, artifactFiles[file].name), content.bytes, 0o600)
      names.push(artifactFiles[file].name)
    }
    await realDisk.syncFolder(draft)
    // Fails where another process brought in the same id meanwhile: a folder replaces only an empty one.
    await rename(draft, join(root, id))
    await realDisk.syncFolder(root)
    return right(names)
  } catch (error) {
    await rm(draft, { recursive: true, force: true })
    if (isCode(error, 'ENOTEMPTY') || isCode(error, 'EEXIST') || isCode(error, 'ENOTDIR'))
      return refuse(exitCodes.findings, `this host has an artifact ${id} already; give another id with --id.`)
    throw error
  }
}

/** No id begins with a dot, so a host never looks at a draft. */
const draftPrefix = '.add-'

const draftMsMax = 3_600_000

/** Removes drafts that a crash left an hour ago or earlier. */
const sweep = async (root: string): Promise<void> => {
  for (const name of await readdir(root)) {
    if (!name.startsWith(draftPrefix)) continue
    const draft = join(root, name)
    const { mtimeMs } = await stat(draft)
    if (realClock.nowMs() - mtimeMs > draftMsMax) await rm(draft, { recursive: true, force: true })
  }
}

const exists = async (path: string): Promise<boolean> => {
  try {
    await lstat(path)
    return true
  } catch (error) {
    if (isCode(error, 'ENOENT')) return false
    throw error
  }
}
