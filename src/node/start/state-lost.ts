import { join } from 'node:path'
import { isLeft, tryCatch } from 'fp-ts/lib/Either.js'
import { git } from '#src/adapters/git/git-command.js'
import type { StateLoss } from '#src/adapters/runtime/runtime-db.js'
import { lastStateArea, recallState, type StateStanding } from '#src/adapters/state/state-record.js'
import type { LostState } from '#src/cli/checkout/checkout-notes.js'
import { type Output, quoteWord } from '#src/cli/output.js'

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
