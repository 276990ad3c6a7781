import { deepEqual, equal, ok } from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Either, isLeft, isRight } from 'fp-ts/lib/Either.js'
import { BlobId, CommitId, type RepoPath } from '#protocol/atoms.js'
import { type LandingOptions, openLanding } from '#src/adapters/landing/landing.js'
import { openRuntimeDb } from '#src/adapters/runtime/runtime-db.js'
import type { Draft, Landed, Landing, LandingFailure, Recovered, TouchedFile } from '#src/ports/landing.js'
import type { Intents } from '#src/ports/records.js'
import { type Repository, repositoryOf, temporaryFolder, writeFiles } from './repository.js'
import { sourceFile } from './world.js'

export const first = 'pierwszy\n'
export const changedText = 'zmieniony\n'
const signal = new AbortController().signal
export const repoPathOf = (text: string): RepoPath => sourceFile(text, '').path

export interface LandingRig {
  readonly repository: Repository
  readonly intents: Intents
  readonly dispose: () => void
}

/** A repository with a person's draft beside the file that writes touch, and its runtime database. */
export const makeLandingRig = (): LandingRig => {
  const repository = repositoryOf({ 'encje/a.md': first, 'b.md': 'b\n' })
  repository.git('config', 'core.quotePath', 'false')
  writeFiles(repository.path, {
    'b.md': 'szkic\n',
    'nowy.md': 'nieznany\n',
    '.git/info/exclude': '/.svc/state/\n',
  })
  const state = temporaryFolder()
  const runtime = openRuntimeDb(state.path)
  if (isLeft(runtime)) throw new Error(runtime.left.reason)
  return {
    repository,
    intents: runtime.right.intents,
    dispose: () => {
      runtime.right.close()
      state.dispose()
      repository.dispose()
    },
  }
}

/** The commit of HEAD, and the blob in it that the rig's write changes. */
export const readHeadIds = (repository: Repository): { readonly base: CommitId; readonly before: BlobId } => {
  const [commit, blob] = [
    CommitId.decode(repository.head()),
    BlobId.decode(repository.git('rev-parse', 'HEAD:encje/a.md')),
  ]
  if (isLeft(commit) || isLeft(blob)) throw new Error('ids wanted')
  return { base: commit.right, before: blob.right }
}

export interface Tried {
  readonly landed: Landed | null
  readonly reason: string
}

/** Lands one draft where its files are clean, as the gate does; makes no commit where they are not. */
export const landIn = async (
  landing: Pick<Landing, 'open'>,
  base: CommitId | null,
  files: ReadonlyArray<TouchedFile>,
  draft: Draft,
): Promise<Either<LandingFailure, Landed>> => {
  const opened = await landing.open(base, signal)
  if (isLeft(opened)) return opened
  const { inspect, commit, close } = opened.right
  try {
    const found = await inspect(files)
    if (isLeft(found)) return found
    return await commit({ drafts: found.right.size > 0 ? [] : [draft], atMs: 1_700_000_000_000 })
  } finally {
    await close()
  }
}

/** Lands one write of two files through a disk; closes the landing's child in every case. */
export const writeThrough = async (
  repository: Repository,
  intents: Intents,
  disk: Partial<Pick<LandingOptions, 'disk'>> = {},
  id = 'intent-1',
): Promise<Tried> => {
  const landing = openLanding({ repo: repository.path, intents, lockWaitsMs: [], ...disk })
  const { base, before } = readHeadIds(repository)
  const author = { name: 'Żaneta', email: 'zaneta@kronika.invalid' }
  const after = new Map([
    [repoPathOf('encje/a.md'), Buffer.from(changedText)],
    [repoPathOf('encje/głębiej/nowy.md'), Buffer.from('nowy\n')],
  ])
  const outcome = await landIn(
    landing,
    base,
    [
      { path: repoPathOf('encje/a.md'), before },
      { path: repoPathOf('encje/głębiej/nowy.md'), before: null },
    ],
    {
      intent: id,
      actor: 'Żaneta',
      route: 'PATCH /x',
      author,
      message: `zmiana\n\nSvc-Intent: ${id}\n`,
      after,
    },
  )
  landing.close()
  return isRight(outcome)
    ? { landed: outcome.right, reason: '' }
    : { landed: null, reason: JSON.stringify(outcome.left) }
}

/** Runs the recovery of the next process. */
export const recoverAnew = async (repository: Repository, intents: Intents): Promise<Recovered> => {
  const landing = openLanding({ repo: repository.path, intents, lockWaitsMs: [] })
  const found = await landing.recover()
  landing.close()
  if (isLeft(found)) throw new Error(JSON.stringify(found.left))
  return found.right
}

export const textIn = (repository: Repository, name: string): string =>
  readFileSync(join(repository.path, name), 'utf8')

/**
 * Checks what must hold at rest in every case: the person's draft is intact, nothing of ours is left, git
 * reports no error.
 */
export const isWhole = (repository: Repository, intents: Intents, hasWrite: boolean): void => {
  equal(textIn(repository, 'b.md'), 'szkic\n')
  equal(textIn(repository, 'nowy.md'), 'nieznany\n')
  equal(textIn(repository, 'encje/a.md'), hasWrite ? changedText : first)
  equal(repository.git('status', '--porcelain').trim(), 'M b.md\n?? nowy.md')
  equal(repository.git('rev-list', '--count', 'HEAD'), hasWrite ? '2' : '1')
  ok(!existsSync(join(repository.path, '.git/index.lock')))
  const area = join(repository.path, '.svc/state/checkout')
  deepEqual(existsSync(area) ? readdirSync(area) : [], [])
  deepEqual(intents.prepared(), [])
  deepEqual(
    readdirSync(join(repository.path, '.git/objects')).filter(name => name.startsWith('tmp_obj_')),
    [],
  )
  repository.git('fsck', '--strict')
}
