import type { CommitId } from '#protocol/atoms/commit.js'
import type { PublishMode } from '#protocol/discovery/health.js'
import type { Side } from '#src/domain/lore/merging/conflict.js'
import { mergeFile } from '#src/domain/lore/merging/merge-file.js'
import type { Fetched, Integrated, Pushed, Remote, RemoteFailure } from '#src/ports/git/remote.js'
import type { Objects } from './objects.js'
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

/** The commit that has both heads, by the real rules of block and row, and what they leave to a person. */
const mergeCommits = ({ objects, mark }: RemoteParts, ours: CommitId, theirs: CommitId): Integrated => {
  const base = objects.get(objects.mergeBase(ours, theirs)).files
  const [mine, other] = [objects.get(ours).files, objects.get(theirs).files]
  const made = (side: Side) => {
    const files = [...new Set([...mine.keys(), ...other.keys()])].map(path => {
      const at = (of: ReadonlyMap<string, string>): string | null => of.get(path) ?? null
      return {
        path,
        ...mergeFile(path, { base: at(base), ours: at(mine), theirs: at(other) }, side, simulatedCeiling),
      }
    })
    const texts = new Map(files.flatMap(({ path, text }) => (text === null ? [] : [[path, text] as const])))
    const message = `sync: merge ${side}\n`
    const { id } = objects.make({ parents: [ours, theirs], files: texts, message })
    const isTooLarge = files.some(one => one.conflicts.some(({ cause }) => cause === 'too_large'))
    return { id, isTooLarge, files: files.filter(one => one.conflicts.length > 0).map(({ path }) => path) }
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
      repository.fetched = origin.head
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
    parked: () => Promise.resolve([...repository.parked].map(([ref, commit]) => ({ ref, commit }))),
    unpublished: () => {
      const { fetched, head } = repository
      return Promise.resolve(fetched === null ? null : objects.between(fetched, head).length)
    },
  }
}
