import { hash } from 'node:crypto'
import type { MentionIndexOptions, MentionIndexPorts } from '#actors/mention-index.js'
import type { CommitId } from '#protocol/atoms.js'
import type { Config } from '#protocol/host/config.js'
import type { MentionIndexState } from '#protocol/host/discovery.js'
import { type Artifact, artifactBytesMax, artifactStatusOf } from '#src/domain/fleet/derived.js'
import { reasonOf } from '#src/node/start/environment.js'
import type { NodeDerived } from '../fleet/derived.js'
import type { Log } from '../records/records.js'
import type { MentionThread } from './transcripts.js'

export const mentionOptions = (
  config: Pick<Config, 'server.mention_index_interval_min'>,
): MentionIndexOptions => ({ intervalMs: config['server.mention_index_interval_min'] * 60_000 })

export interface MentionSources {
  readonly thread: MentionThread
  readonly derived: Pick<NodeDerived, 'view' | 'keepMade' | 'readStamp' | 'watch'>
  /** The commit of the served snapshot; null on a plain directory. */
  readonly commit: () => CommitId | null
  /** Called after each change of the index of transcripts, and after each copied artifact. */
  readonly changed: () => void
  readonly log: Pick<Log, 'info' | 'warn'>
}

/** The index of mentions of a node. */
export interface NodeMentions {
  readonly ports: MentionIndexPorts
  /** Whether the thread has one that no artifact of this host keeps. */
  readonly isInMemory: () => boolean
}

/** Makes the index of mentions over the thread of the transcripts, and keeps it as the artifact `mentions`. */
export const nodeMentions = (sources: MentionSources): NodeMentions => {
  const { thread, derived, commit, log } = sources
  thread.watch(sources.changed)
  derived.watch(sources.changed)
  let given: Uint8Array | null = null
  let isInMemory = false
  const take = (bytes: Uint8Array): void => {
    if (given === bytes) return
    given = bytes
    thread.take(bytes)
  }
  const stampNow = async (): Promise<string | null> => {
    const at = commit()
    return at === null ? null : derived.readStamp(at)
  }
  const make = async (): ReturnType<MentionIndexPorts['refresh']> => {
    if (!thread.isCurrent()) return 'unready'
    const stamp = await stampNow()
    const kept = derived.view.artifacts().get('mentions')
    if (stamp !== null && kept?.stamp === stamp) return 'fresh'
    const made = await thread.make()
    if (made === null || !thread.isCurrent() || (await stampNow()) !== stamp) return 'unready'
    const bytes = Buffer.from(made.buffer, made.byteOffset, made.byteLength)
    take(bytes)
    isInMemory = true
    if (bytes.length > artifactBytesMax) log.warn('mentions_too_large', { bytes: bytes.length })
    else if (stamp !== null) {
      const artifact: Artifact = { kind: 'mentions', stamp, sha256: hash('sha256', bytes, 'hex'), bytes }
      const fault = await derived.keepMade(artifact)
      if (fault === null) isInMemory = false
      else log.warn('mentions_not_kept', { reason: fault })
    }
    return 'made'
  }
  return {
    isInMemory: () => isInMemory,
    ports: {
      refresh: async mayMake => {
        try {
          const kept = derived.view.artifacts().get('mentions')
          if (kept !== undefined && !isInMemory) take(kept.bytes)
          return mayMake ? await make() : 'fresh'
        } catch (error) {
          log.warn('mentions_not_made', { reason: reasonOf(error) })
          return 'unready'
        }
      },
    },
  }
}

/** What `GET /health` says of the index of mentions. */
export const mentionStateOf = (
  { view }: Pick<NodeDerived, 'view'>,
  { isInMemory }: Pick<NodeMentions, 'isInMemory'>,
): MentionIndexState =>
  isInMemory() ? 'memory' : artifactStatusOf(view.artifacts().get('mentions'), view.archive())
