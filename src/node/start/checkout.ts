import { existsSync, readFileSync, statSync } from 'node:fs'
import { SourceMap, type SourceMapPayload } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Either, isLeft, left, right, tryCatch } from 'fp-ts/lib/Either.js'
import { type ExitCode, exitCodes } from '#protocol/exit-code.js'
import { goneWords } from '#protocol/host/discovery.js'
import { type RepositoryStands, repositoryStands } from '#src/adapters/git/checkout-state.js'
import { git, gitText } from '#src/adapters/git/git-command.js'
import { isGitCheckout, openTreeSource } from '#src/adapters/git/git-source.js'
import { type OpenHistory, openGitHistory } from '#src/adapters/history/git-history.js'
import { findFilteredLore } from '#src/adapters/landing/checkout/checkout-faults.js'
import type { FilteredPath } from '#src/adapters/landing/checkout/conversions.js'
import { type Disk, realDisk } from '#src/adapters/landing/disk.js'
import { type OpenLanding, openLanding } from '#src/adapters/landing/landing.js'
import { gatherAtIntervals } from '#src/adapters/runtime/group-commit.js'
import { openRuntimeDb, type RuntimeDb, type StateLoss } from '#src/adapters/runtime/runtime-db.js'
import { type Fence, takeCheckoutFences } from '#src/adapters/state/fence.js'
import { excludeState, findDistrust, forgetListening, stateWithin } from '#src/adapters/state/state-area.js'
import { lastStateArea, recallState, type StateStanding } from '#src/adapters/state/state-record.js'
import { type StateCause, type StateTrouble, stateTrouble } from '#src/adapters/state/state-trouble.js'
import type { LostState } from '#src/cli/checkout/checkout-notes.js'
import { type Output, quoteWord } from '#src/cli/output.js'
import { fileBytesMax, isLoreFolder } from '#src/domain/lore/layout.js'
import { realClock } from '#src/kernel/time/clock.js'
import type { TreeSource } from '#src/ports/git.js'
import { hasSession, isLorePath, maySession } from '#src/snapshot/lore-signs.js'

/** A lore checkout that this process holds: no other process serves or adopts it until `release`. */
export interface Checkout {
  readonly repo: string
  readonly state: string
  readonly isGit: boolean
  /** Its `head` throws once the repository is gone. */
  readonly source: TreeSource
  readonly stands: RepositoryStands
  readonly runtime: RuntimeDb
  /** Null on a plain directory. */
  readonly landing: OpenLanding | null
  /** Null on a plain directory. */
  readonly history: OpenHistory | null
  /**
   * What was lost with the state area of this checkout and no host has logged yet; log it before `remember`.
   */
  readonly notes: ReadonlyArray<StateNote>
  /**
   * Records the state area in the git directory, so that the next start notices its loss, and marks earlier
   * losses as logged.
   */
  readonly remember: () => void
  readonly release: () => Promise<void>
}

/** Why the process cannot continue: the exit code and the message to the operator. */
export interface Stop {
  readonly code: ExitCode
  readonly reason: string
  /** Why the state area is unusable; absent for other reasons. */
  readonly cause?: StateCause
  /** The process that holds the checkout; absent where there is none. */
  readonly holder?: string
}

/** Opens a source only for reading. Left also where there is no lore (`docs/spec/operating.md`). */
export const openSource = async (directory: string): Promise<Either<Stop, TreeSource>> => {
  if (directory === '')
    return stop(exitCodes.usage, 'the name of the lore directory is empty; name the lore checkout.')
  const repo = resolve(directory)
  if (!isDirectory(repo)) return stop(exitCodes.usage, `${repo} is not a directory; name the lore checkout.`)
  const refused = isGitCheckout(repo) ? await refuseGit(repo) : right(null)
  if (isLeft(refused)) return refused
  if (isBareRepository(repo)) return stop(exitCodes.usage, bareReason(repo))
  const source = openTreeSource(repo)
  const reason = checkoutAround(repo) === null ? await refuseWithoutLore(source) : null
  if (reason === null) return right(source)
  await source.close()
  return stop(exitCodes.usage, reason)
}

/**
 * The folder of private state that HEAD contains, whose files would be taken for this host's own. Null where
 * there is none.
 */
export const findCommittedState = async (repo: string, state: string): Promise<string | null> => {
  const named = stateWithin(repo, state)
  for (const folder of ['.svc/state', ...(named === null || named === '' ? [] : [named])])
    if ((await git(['cat-file', '-e', `HEAD:${folder}`], { cwd: repo })).code === 0) return folder
  return null
}

/**
 * Opens a checkout for serving or writing: excludes the state area from git, takes the fences (D3), then
 * opens the runtime database (ADR 1012). A test may pass a disk that fails.
 */
export const holdCheckout = async (
  directory: string,
  stateDirectory: string | undefined,
  command: string,
  disk: Disk = realDisk,
): Promise<Either<Stop, Checkout>> => {
  const opened = await openSource(directory)
  if (opened._tag === 'Left') return opened
  const stands = repositoryStands(opened.right.path)
  const source = guardSource(opened.right, stands)
  const repo = source.path
  const state = stateDirectory === undefined ? join(repo, '.svc/state') : resolve(stateDirectory)
  const reason = refusePart(repo)
  if (reason !== null) {
    await source.close()
    return stop(exitCodes.usage, reason)
  }
  try {
    const filtered = source.kind === 'git' ? await findFilteredLore(repo) : null
    if (filtered !== null) {
      await source.close()
      return stop(exitCodes.usage, filterReason(filtered))
    }
    const fence = await fenceCheckout(source, state, command)
    const held =
      fence._tag === 'Left' ? fence : await openBehind(fence.right, { source, stands, state, disk })
    if (held._tag === 'Left') await source.close()
    return held
  } catch (error) {
    await source.close()
    return stopOfState(stateTrouble(state, error))
  }
}

/** Formats the frames of a stack as V8 does, with the positions of the sources where a map knows them. */
export const sourceFrames = (): ((frames: ReadonlyArray<Frame>) => string) => {
  const maps = new Map<string, SourceMap | null>()
  const mapOf = (file: string): SourceMap | null => {
    const known = maps.get(file)
    if (known !== undefined) return known
    const map = readMap(file)
    maps.set(file, map)
    return map
  }
  const textOf = (frame: Frame): string => {
    const [name, line, column] = [frame.getFileName(), frame.getLineNumber(), frame.getColumnNumber()]
    if (typeof name !== 'string' || line === null || column === null) return frame.toString()
    const file = pathOf(name)
    const entry = mapOf(file)?.findEntry(line - 1, column - 1)
    if (entry === undefined || !('originalSource' in entry)) return frame.toString()
    const source = resolve(dirname(file), entry.originalSource)
    return frame
      .toString()
      .replace(
        `${name}:${line}:${column}`,
        () => `${source}:${entry.originalLine + 1}:${entry.originalColumn + 1}`,
      )
  }
  return frames => frames.map(frame => `\n    at ${textOf(frame)}`).join('')
}

/**
 * Makes stack traces of this thread name the sources. A map is read with the first stack that needs it: node's
 * own support reads the maps of all files when they are loaded, about a tenth of the processor time of a start. Does
 * nothing where that support is on, as for a program that runs from its sources.
 */
export const nameSources = (): void => {
  if (process.sourceMapsEnabled) return
  const format = sourceFrames()
  Error.prepareStackTrace = (error, frames) => `${Error.prototype.toString.call(error)}${format(frames)}`
}

/** A log record of what a state area lost, or that it is another one. */
export interface StateNote {
  readonly level: 'warn' | 'error'
  readonly event: 'state_lost' | 'runtime_lost' | 'state_elsewhere' | 'checkout_behind'
  readonly fields: {
    readonly reason: string
    readonly mend: string
    readonly lost?: ReadonlyArray<string>
    readonly files?: ReadonlyArray<string>
  }
}

/** Which part of a state area is gone, so that an empty one is created; null where nothing is. */
export const lossOf = ({ _tag }: StateStanding): StateLoss | null =>
  _tag === 'AreaLost' || _tag === 'RuntimeLost' ? _tag : null

/** The state of a state area, and the loss that preceded `runtime.db` and that no host has logged. */
export interface StateAtStart {
  readonly standing: StateStanding
  readonly untold: StateLoss | null
}

/**
 * What a start reports of its state area: what was lost with it, and the files that a killed host left
 * between a commit and the checkout, which the lost intents would have named.
 */
export const stateNotes = async (
  repo: string,
  state: string,
  { standing, untold }: StateAtStart,
  isGit: boolean,
): Promise<ReadonlyArray<StateNote>> => {
  const before = untold === null || untold === standing._tag ? [] : notesOf({ _tag: untold }, state)
  const notes = [...notesOf(standing, state), ...before]
  if (!isGit || notes.length === 0) return notes
  const files = await filesBehind(repo)
  return files.length === 0 ? notes : [...notes, behindNote(repo, files)]
}

/**
 * What is gone of the state area that a checkout was last served with; null where nothing is, and where this
 * user has no access. Writes nothing.
 */
export const findLostState = (repo: string): LostState | null => {
  const area = lastStateArea(repo)
  const recalled = tryCatch(() => recallState(repo, area).standing, String)
  if (isLeft(recalled)) return null
  switch (recalled.right._tag) {
    case 'Known':
      return null
    case 'Elsewhere':
      return { path: area, isReplaced: true, lost: ofArea }
    case 'AreaLost':
      return { path: area, isReplaced: false, lost: ofArea }
    case 'RuntimeLost':
      return { path: join(area, 'runtime.db'), isReplaced: false, lost: ofRuntime }
  }
}

/**
 * What a command without a runtime database reports of the state area that it reads or creates: that it is
 * gone, with what was lost, or that the host of this checkout has another one. Null where it is the known
 * one. Writes nothing.
 */
export const stateTold = (repo: string, state: string, makesIt: boolean): string | null => {
  const { standing } = recallState(repo, state)
  if (standing._tag === 'RuntimeLost') return null
  const [note] = notesOf(standing, state)
  if (note === undefined) return null
  if (standing._tag === 'Elsewhere' || makesIt) return sentence(note.fields)
  return sentence({ ...note.fields, reason: `the state area ${state} is gone` })
}

/**
 * Reports on stderr what was lost, for a command that opens the state area. The loss stays unlogged, and the
 * next host logs it: the person who runs a command may not be the operator of the host.
 */
export const tellLost = (
  command: string,
  output: Output,
  held: { readonly notes: ReadonlyArray<StateNote>; readonly remember: () => void },
): void => {
  for (const { level, fields } of held.notes)
    if (level === 'error') output.err(`${command}: ${sentence(fields)}`)
  // Another state area is the choice of this command only: the host that serves keeps its own.
  if (held.notes.length === 0) tryCatch(held.remember, String)
}

const stop = (code: ExitCode, reason: string): Either<Stop, never> => left({ code, reason })

const stopOfState = ({ cause, reason }: StateTrouble): Either<Stop, never> =>
  left({ code: exitCodes.stateUnusable, reason, cause })

const isDirectory = (path: string): boolean => {
  try {
    return statSync(path).isDirectory()
  } catch (error) {
    if (error instanceof Error && 'code' in error) return false
    throw error
  }
}

/** The checkout that contains a directory; null where the directory is itself the root of one, or in none. */
const checkoutAround = (directory: string): string | null => {
  for (let path = directory; path !== dirname(path); path = dirname(path))
    if (isGitCheckout(path)) return path === directory ? null : path
  return null
}

/** What is wrong with git or the owner of a checkout before anything of it is read; null where nothing is. */
const refuseGit = async (repo: string): Promise<Either<Stop, null>> => {
  const asked = await git(['rev-parse', '--show-object-format', '--git-dir'], { cwd: repo })
  if (asked.absent)
    return stop(exitCodes.noGit, `${repo} is a git repository, and git is not on the PATH; install git.`)
  const format = asked.stdout.toString('utf8').split('\n')[0]
  if (asked.code === 0 && format !== 'sha1')
    return stop(
      exitCodes.usage,
      `${repo} names its objects by ${format}, which no host reads. Make a repository with SHA-1: ` +
        `git init --object-format=sha1 DIR, then git -C ${quoteWord(repo)} fast-export --all | git -C DIR fast-import.`,
    )
  const fatal = /^fatal: (?!not a git repository)(.+)$/mu.exec(asked.stderr)?.[1]
  if (asked.code === 0 || fatal === undefined) return right(null)
  if (!asked.stderr.includes('dubious ownership'))
    return stop(
      exitCodes.usage,
      `git refuses to read ${repo}: ${asked.stderr.trim().replaceAll('\n', '; ')}. Mend that file ` +
        '(a value that begins with # or ; needs quotes, as in commentChar = "#"), and start again.',
    )
  return stop(
    exitCodes.usage,
    `${repo} belongs to another user, so git refuses to read it (dubious ownership). Run the command as the owner, ` +
      `or trust the folder: git config --global --add safe.directory ${quoteWord(repo)}`,
  )
}

const bareReason = (repo: string): string =>
  `${repo} is a bare repository, which has no work tree to serve and write. Clone it with ` +
  `\`git clone ${repo} DIR\`, and name DIR.`

/**
 * A source that checks at each look at HEAD that the repository still exists: git continues to read in a
 * folder that was moved.
 */
const guardSource = (source: TreeSource, stands: RepositoryStands): TreeSource => ({
  ...source,
  head: async () => {
    if (!(await stands())) throw new Error(goneWords)
    return source.head()
  },
})

const filterReason = ({ path, filter }: FilteredPath): string =>
  `${path} has the filter ${filter} of git, whose command no host runs. Remove the filter from the attributes of the ` +
  'lore, or its command from the configuration of git, and commit the files as they are to be served.'

/** Why `repo` cannot have a state area: it is a part of another checkout. Null where it is not. */
const refusePart = (repo: string): string | null => {
  const around = checkoutAround(repo)
  return around === null ? null : `${repo} is a folder inside the checkout ${around}; name ${around} instead.`
}

/** Excludes the state area from git and takes the fences (D3). */
const fenceCheckout = async (
  { path: repo, kind }: TreeSource,
  state: string,
  command: string,
): Promise<Either<Stop, Fence>> => {
  const committed = kind === 'git' ? await findCommittedState(repo, state) : null
  const doubt = findDistrust(repo, state, committed)
  if (doubt !== null) return stop(exitCodes.usage, `${doubt}.`)
  if (kind === 'git') for (const area of [join(repo, '.svc/state'), state]) excludeState(repo, area)
  const who = `process ${process.pid}, kronika ${command}, since ${new Date().toISOString()}`
  const fence = takeCheckoutFences(repo, state, who)
  if (fence._tag === 'Right') return fence
  if ('cause' in fence.left) return stopOfState(fence.left)
  const { holder } = fence.left
  return left({
    code: exitCodes.held,
    reason: `${repo} is held by ${holder}; stop that process first.`,
    holder,
  })
}

interface Opening {
  readonly source: TreeSource
  readonly stands: RepositoryStands
  readonly state: string
  readonly disk: Disk
}

/** Opens landing and history; both null on a plain directory. */
const openGit = (
  { source, stands, disk }: Opening,
  { intents, stands: stateStands }: RuntimeDb,
): Pick<Checkout, 'landing' | 'history'> => {
  const repo = source.path
  if (source.kind !== 'git') return { landing: null, history: null }
  return {
    landing: openLanding({ repo, intents, disk, stands, stateStands }),
    history: openGitHistory({
      repo,
      has: (head, commit) => source.contains({ commit: head, id: head }, commit),
      monotonicMs: realClock.monotonicMs,
    }),
  }
}

/** Opens what needs the fence. Releases the fence where that fails, but not the source. */
const openBehind = async (fence: Fence, opening: Opening): Promise<Either<Stop, Checkout>> => {
  const { source, stands, state } = opening
  const repo = source.path
  const isGit = source.kind === 'git'
  forgetListening(state)
  const letGo = (): void => {
    forgetListening(state)
    fence.release()
  }
  const { standing, remember } = recallState(repo, state)
  const opened = openRuntimeDb(state, lossOf(standing), gatherAtIntervals(realClock))
  if (opened._tag === 'Left') {
    letGo()
    return stopOfState(opened.left)
  }
  const runtime = opened.right
  const { untoldLoss } = runtime
  const notes = await stateNotes(repo, state, { standing, untold: untoldLoss.find() }, isGit)
  const { landing, history } = openGit(opening, runtime)
  return right({
    repo,
    state,
    isGit,
    source,
    stands,
    runtime,
    landing,
    history,
    notes,
    remember: () => {
      remember()
      untoldLoss.forget()
    },
    release: async () => {
      landing?.close()
      history?.close()
      runtime.close()
      letGo()
      await source.close()
    },
  })
}

/** A call site; V8 formats it as a line of a stack. */
interface Frame extends NodeJS.CallSite {
  readonly toString: () => string
}

const isMap = (value: unknown): value is SourceMapPayload =>
  typeof value === 'object' && value !== null && 'sources' in value && 'mappings' in value

/** The map of a built file, from the file beside it; null where there is none, as for modules of node. */
const readMap = (file: string): SourceMap | null => {
  try {
    const found: unknown = JSON.parse(readFileSync(`${file}.map`, 'utf8'))
    return isMap(found) ? new SourceMap(found) : null
  } catch {
    return null
  }
}

const pathOf = (fileName: string): string =>
  fileName.startsWith('file:') ? fileURLToPath(fileName) : fileName

/**
 * Whether a folder is a git repository without a work tree, as created by `git init --bare` or `git clone
 * --bare`.
 */
const isBareRepository = (path: string): boolean =>
  ['HEAD', 'objects', 'refs'].every(name => existsSync(join(path, name))) && !existsSync(join(path, '.git'))

const inits = 'Name the lore checkout, or make the repository of a new community with `kronika init DIR`'

/** The text of a file that may contain sessions; null where it cannot be read or is too large for one. */
const textOf = async (
  source: TreeSource,
  entry: Parameters<TreeSource['read']>[0],
): Promise<string | null> =>
  entry.bytes > fileBytesMax ? null : ((await source.read(entry))?.toString('utf8') ?? null)

const withoutCommit = (path: string): string =>
  `${path} is a git repository without a commit, so it has no lore. Commit the lore. ${inits}.`

const branchesShownMax = 20

/**
 * For a clone whose remote names a branch that does not exist, so that nothing is checked out: the branches
 * that were fetched, and the command that checks one out. Null where no branch was fetched.
 */
const refuseUnborn = async (path: string): Promise<string | null> => {
  const format = '--format=%(refname:lstrip=3)'
  const listed = await gitText(['for-each-ref', format, 'refs/remotes'], { cwd: path })
  const branches = [...new Set(listed.split('\n').filter(name => name !== '' && name !== 'HEAD'))]
  const [first] = branches
  if (first === undefined) return null
  const named = branches.slice(0, branchesShownMax).join(', ')
  const wanted = branches.find(name => name === 'main' || name === 'master') ?? first
  return (
    `${path} has no branch checked out: HEAD names a branch without a commit, as after a clone of a remote whose ` +
    `HEAD names none. The remote has ${named}. Check one out: ` +
    `\`git -C ${quoteWord(path)} switch ${quoteWord(wanted)}\`.`
  )
}

const whatIsThere = async (source: TreeSource): Promise<string | null> => {
  if ((await source.file('.svc/format.json')) !== null) return null
  const head = await source.head()
  if (source.kind === 'git' && head.commit === null)
    return (await refuseUnborn(source.path)) ?? withoutCommit(source.path)
  const { entries, skipped } = await source.list(head)
  if (entries.some(({ path }) => isLorePath(path))) return null
  for (const entry of entries) {
    if (!maySession(entry.path)) continue
    const text = await textOf(source, entry)
    if (text !== null && hasSession(text)) return null
  }
  const link = skipped.find(({ path, reason }) => reason === 'symlink' && isLoreFolder(path))
  if (link !== undefined)
    return `${source.path} has ${link.path} as a symbolic link, which no host follows. Commit the folder itself.`
  if (entries.length + skipped.length === 0) return `${source.path} is empty. ${inits}.`
  return (
    `${source.path} has no lore: no .svc/format.json, no encje/, no legacy file such as Gracze.md, and no session ` +
    `header such as "### 2026-02-01, Title, Narrator" in any .md file. ${inits}.`
  )
}

/**
 * Why a tree is refused because it holds no lore, and what to do; null where it holds lore. Ignores the error
 * of an unreadable tree, because the load reports it. Costs one read where the format is stamped; otherwise
 * it reads the tree, linear in its size.
 */
const refuseWithoutLore = (source: TreeSource): Promise<string | null> =>
  whatIsThere(source).catch(() => null)

const ofRuntime = ['named tokens', 'logins', 'jobs', 'open intents'] as const

const ofArea = [...ofRuntime, 'machine token', 'private fleet key', 'journal and log streams'] as const

const mendRuntime =
  'stop the host and put a copy back; without a copy, mint the named tokens again (kronika token mint), ' +
  'and players sign in again'

const mendArea =
  `${mendRuntime}; the machine token is new, so give it to the programs that used the old one; ` +
  'if the host had a fleet key, make another (kronika keys rotate --repo DIR --town TOWN)'

const notesOf = (standing: StateStanding, state: string): ReadonlyArray<StateNote> => {
  switch (standing._tag) {
    case 'Known':
      return []
    case 'Elsewhere':
      return [
        {
          level: 'warn',
          event: 'state_elsewhere',
          fields: {
            reason:
              `this checkout was last served with the state area ${standing.before}, not ${state}: ` +
              `${ofRuntime.join(', ')} of that area are not valid here`,
            mend: `stop the host and start it with --state ${standing.before}, unless you changed it on purpose`,
          },
        },
      ]
    case 'AreaLost':
      return [
        {
          level: 'error',
          event: 'state_lost',
          fields: {
            reason: `the state area ${state} is gone; an empty one replaces it`,
            lost: ofArea,
            mend: mendArea,
          },
        },
      ]
    case 'RuntimeLost':
      return [
        {
          level: 'error',
          event: 'runtime_lost',
          fields: {
            reason: `${state}/runtime.db is gone; an empty one replaces it`,
            lost: ofRuntime,
            mend: mendRuntime,
          },
        },
      ]
  }
}

/** The most commits whose files a landing may have left half written: a batch has at most 64 writes. */
const commitsMax = 64

const pathsOf = (stdout: Buffer): ReadonlyArray<string> =>
  stdout
    .toString('utf8')
    .split('\0')
    .filter(path => path !== '')

/**
 * Files of the newest writes that differ between index and HEAD; without intents no recovery completes them.
 */
const filesBehind = async (repo: string): Promise<ReadonlyArray<string>> => {
  const staged = await git(['diff-index', '--cached', '--name-only', '-z', '--no-ext-diff', 'HEAD', '--'], {
    cwd: repo,
  })
  const differing = new Set(pathsOf(staged.stdout))
  if (differing.size === 0) return []
  const range = [`--max-count=${commitsMax}`, '--first-parent', '--grep=^Svc-Intent: ', '--format=']
  const written = await git(['log', ...range, '--name-only', '-z', '--no-renames', 'HEAD', '--'], {
    cwd: repo,
  })
  return [...new Set(pathsOf(written.stdout).map(path => path.replace(/^\n/, '')))].filter(path =>
    differing.has(path),
  )
}

const behindNote = (repo: string, files: ReadonlyArray<string>): StateNote => ({
  level: 'error',
  event: 'checkout_behind',
  fields: {
    reason:
      'HEAD has writes of this host that are missing from the index and the work tree: a killed host left them, ' +
      'or a person staged a change of these files',
    files,
    mend:
      'unless a person staged it, run: ' +
      `git --literal-pathspecs -C ${quoteWord(repo)} restore --source=HEAD --staged --worktree -- ` +
      files.map(quoteWord).join(' '),
  },
})

const sentence = ({ reason, lost, mend }: StateNote['fields']): string =>
  [reason, ...(lost === undefined ? [] : [`lost with it: ${lost.join(', ')}`]), `${mend}.`].join('; ')
