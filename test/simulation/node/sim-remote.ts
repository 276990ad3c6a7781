import type { CommitId } from '#protocol/atoms.js'
import type { PublishMode } from '#protocol/host/discovery.js'
import { judgeTip } from '#src/adapters/sync/remote/follow-tip.js'
import type { Side } from '#src/domain/lore/merging/units.js'
import type {
  Fetched,
  Integrated,
  Parked,
  Pushed,
  Remote,
  RemoteFailure,
  Replayed,
  ReplayedCommit,
  Rewrite,
} from '#src/ports/git.js'
import { mergeFile } from '#test/support/at-once.js'
import { intentIdOf, type Objects } from './objects.js'
import { simulatedCeiling } from './plans.js'
import type { SimRepository } from './sim-repository.js'
import type { Mark } from './trace.js'
import type { Life, Weather } from './weather.js'

/** The way between a host and its remote; a cut may let one direction pass. */
export interface RemoteLink {
  readonly sends: () => boolean
  readonly receives: () => boolean
}

/** The link of a host that is cut both ways or not at all. */
export const linkOf = (weather: Pick<Weather, 'isCut'>, host: string): RemoteLink => ({
  sends: () => !weather.isCut(host),
  receives: () => !weather.isCut(host),
})

export interface RemoteParts {
  readonly life: Life
  readonly repository: SimRepository
  readonly origin: SimRepository
  readonly mode: PublishMode
  readonly objects: Objects
  readonly weather: Weather
  readonly link: RemoteLink
  readonly mark: (mark: Mark) => void
  readonly pushed: () => void
  /** The branch of origin moved. */
  readonly moved: (from: CommitId, to: CommitId) => void
}

const silence: Pushed = { _tag: 'Unknown', detail: 'no answer in time' }
const cut: RemoteFailure = { _tag: 'Failed', action: 'unreachable', detail: 'the link is cut' }

type Files = ReadonlyMap<string, string>

/** The files of both sides by the real rules of block and row, and those that they leave to a person. */
const mergeFiles = (base: Files, ours: Files, theirs: Files, side: Side) => {
  const files = [...new Set([...ours.keys(), ...theirs.keys()])].map(path => {
    const at = (of: Files): string | null => of.get(path) ?? null
    const three = { base: at(base), ours: at(ours), theirs: at(theirs) }
    return { path, ...mergeFile(path, three, side, simulatedCeiling) }
  })
  const texts = new Map(files.flatMap(({ path, text }) => (text === null ? [] : [[path, text] as const])))
  const isTooLarge = files.some(one => one.conflicts.some(({ cause }) => cause === 'too_large'))
  return { texts, isTooLarge, open: files.filter(one => one.conflicts.length > 0).map(({ path }) => path) }
}

/** The commit that has both heads, and what was left out of it. */
const mergeCommits = ({ objects, mark }: RemoteParts, ours: CommitId, theirs: CommitId): Integrated => {
  const base = objects.get(objects.mergeBase(ours, theirs)).files
  const [mine, other] = [objects.get(ours).files, objects.get(theirs).files]
  const made = (side: Side) => {
    const { texts, isTooLarge, open } = mergeFiles(base, mine, other, side)
    const message = `sync: merge ${side}\n`
    const { id } = objects.make({ parents: [ours, theirs], files: texts, message })
    return { id, isTooLarge, files: open }
  }
  const stands = made('theirs')
  if (stands.files.length === 0) return { _tag: 'Integrated', commit: stands.id, resolved: 0, parked: null }
  if (stands.isTooLarge) mark('a file too large to merge was parked')
  const own = { commit: made('ours').id, files: stands.files, reason: 'both changed one row' }
  return { _tag: 'Integrated', commit: stands.id, resolved: 0, parked: own }
}

/** The remote says nothing more: the call ends when the converge does. */
const staySilent = async (mark: RemoteParts['mark'], signal: AbortSignal): Promise<void> => {
  mark('a remote went silent')
  if (!signal.aborted)
    await new Promise<void>(resolve => signal.addEventListener('abort', () => resolve(), { once: true }))
}

/** The commits of `head` that the rewritten history never had, made again on it one after the other. */
const replayCommits = ({ objects }: RemoteParts, { seen, tip }: Rewrite, head: CommitId): Replayed => {
  const there = new Set(objects.between(seen, tip ?? seen).flatMap(one => intentIdOf(one) ?? []))
  const made: Array<ReplayedCommit> = []
  const parked: Array<Parked> = []
  let onto = tip ?? seen
  for (const own of objects.between(seen, head)) {
    const [parent, second] = own.parents
    const intent = intentIdOf(own)
    if (parent === undefined || second !== undefined || (tip !== null && objects.isAncestor(own.id, tip)))
      continue
    if (intent !== null && there.has(intent)) continue
    const merge = (side: Side) =>
      mergeFiles(objects.get(parent).files, own.files, objects.get(onto).files, side)
    const { texts, open } = merge('theirs')
    const on = { parents: [onto], message: own.message }
    if (open.length > 0) {
      const aside = objects.make({ parents: [onto], files: merge('ours').texts, message: 'sync: own word\n' })
      parked.push({ commit: aside.id, files: open, reason: 'both changed one row' })
    }
    onto = objects.make({ ...on, files: texts }).id
    made.push({ intent, from: own.id, to: onto })
  }
  return { _tag: 'Replayed', commit: onto, made, parked }
}

/** The contract of `Remote` over repositories of values; the answer to a push may be lost on its way. */
export const simRemote = (parts: RemoteParts): Remote => {
  const { life, repository, origin, objects, weather, link } = parts
  const step = (what: string): Promise<void> => weather.step(life, `remote ${what}`)
  /** At any step of a call; once it has begun, the remote may still carry it out. */
  const goesSilent = (): boolean => weather.mishap(0.02)
  const push = async (commit: CommitId, signal: AbortSignal): Promise<Pushed> => {
    parts.pushed()
    await step('push sent')
    if (!link.sends()) return cut
    if (goesSilent()) {
      await staySilent(parts.mark, signal)
      return silence
    }
    if (weather.mishap(0.05)) return silence
    const from = origin.head
    if (!objects.isAncestor(from, commit)) {
      parts.mark('others pushed first')
      return { _tag: 'Behind' }
    }
    origin.head = commit
    if (from !== commit) parts.moved(from, commit)
    await step('push answered')
    if (goesSilent()) await staySilent(parts.mark, signal)
    if (signal.aborted) return silence
    if (link.receives() && !weather.mishap(0.1)) {
      repository.fetched = commit
      return { _tag: 'Pushed' }
    }
    parts.mark('a push that landed was not answered')
    return silence
  }
  const compare = async (): Promise<Fetched> => {
    await step('count')
    const head = repository.head
    const remote = repository.fetched ?? head
    const incoming = objects.between(head, remote).length
    const outgoing = objects.between(remote, head).length
    return { _tag: 'Fetched', branch: 'main', head, remote, incoming, outgoing }
  }
  return {
    facts: () => Promise.resolve({ exists: true, address: 'file:///origin' }),
    fetch: async signal => {
      await step('fetch')
      if (!link.sends() || !link.receives()) return cut
      if (goesSilent()) await staySilent(parts.mark, signal)
      if (signal.aborted) return { _tag: 'Failed', action: 'failed', detail: 'git printed nothing.' }
      const tip = origin.head
      const isAncestor = (commit: CommitId, of: CommitId) => Promise.resolve(objects.isAncestor(commit, of))
      const isForward = (await judgeTip(repository.fetched, tip, isAncestor)) === 'Forward'
      repository.rewritten = isForward ? null : tip
      if (!isForward) return { _tag: 'Failed', action: 'history_rewritten', detail: `the remote has ${tip}` }
      repository.fetched = tip
      return compare()
    },
    compare,
    integrate: async ({ head, remote }) => {
      await step('merge')
      if (weather.refuses(life.host)) return { _tag: 'Failed', action: 'failed', detail: 'the disk is full' }
      return mergeCommits(parts, head, remote ?? head)
    },
    push: (_branch, commit, signal) => push(commit, signal),
    park: async commit => {
      await step('park')
      const known = [...repository.parked].find(([, one]) => one === commit)
      if (known !== undefined) return { ref: known[0], commit, isNew: false }
      if (weather.refuses(life.host)) throw new Error('git could not park: the disk is full')
      repository.parkings += 1
      parts.mark('a merge parked what it left out')
      const ref = `refs/svc/parked/${life.host}/${repository.parkings}`
      repository.parked.set(ref, commit)
      return { ref, commit, isNew: true }
    },
    unpark: async (ref, commit) => {
      await step('unpark')
      if (repository.parked.get(ref) === commit) repository.parked.delete(ref)
    },
    held: () => {
      const { fetched: seen, rewritten: tip } = repository
      const refs = [...repository.parked].map(([ref, commit]) => ({ ref, commit }))
      const rewrite = seen === null || tip === null ? null : { seen, tip }
      return Promise.resolve({ parked: refs, rewrite, replaced: [] })
    },
    replay: async (rewrite, head) => {
      await step('replay')
      if (weather.refuses(life.host)) return { _tag: 'Failed', action: 'failed', detail: 'the disk is full' }
      return replayCommits(parts, rewrite, head)
    },
    replace: () => step('replace'),
    settle: async ({ tip }) => {
      await step('settle')
      repository.fetched = tip
      repository.rewritten = null
      parts.mark('a rewritten history was accepted')
    },
    unpublished: () => {
      const { fetched, head } = repository
      return Promise.resolve(fetched === null ? null : objects.between(fetched, head).length)
    },
  }
}
