import { nameKey } from '#protocol/atoms.js'
import type { Entities } from '#src/domain/entities/entity.js'
import type { NameIndex } from '#src/domain/names/spelling-table.js'
import type { Sessions } from '#src/domain/sessions/session.js'
import { citationsOf } from '#src/domain/transcripts/archive.js'
import {
  type ResolvedSpeaker,
  speakerResolver,
  speakingTypes,
} from '#src/domain/transcripts/names-in-lines.js'
import { bindingKey, type Samples, speakerBindings } from './samples.js'

/** What a speaker of a transcript is resolved in. */
export interface SpeakerLore {
  readonly names: NameIndex
  readonly entities: Pick<Entities, 'byHeading'>
  readonly samples: Samples
  readonly sessions: Sessions
}

/**
 * Resolves the speakers of one transcript: a binding that a person confirmed for a session that cites it decides, stage
 * `binding`; else the name does. Where sessions that cite it bind a speaker differently, the name decides.
 */
export const speakerResolverOf = (
  { names, entities, samples, sessions }: SpeakerLore,
  log: string,
): ((speaker: string) => ResolvedSpeaker) => {
  const byName = speakerResolver(names)
  const bindings = speakerBindings(samples)
  const citing = bindings.size === 0 ? [] : (citationsOf(sessions).get(log)?.sessions ?? [])
  if (citing.length === 0) return byName
  return speaker => {
    const bound = new Set(
      citing.flatMap(({ header }) => {
        const heading = bindings.get(bindingKey(header, speaker))
        return heading === undefined ? [] : [heading]
      }),
    )
    const [heading] = bound
    if (heading === undefined || bound.size > 1) return byName(speaker)
    const blocks = heading === null ? [] : (entities.byHeading.get(nameKey(heading)) ?? [])
    const entity =
      speakingTypes.flatMap(type => blocks.filter(one => one.type === type))[0] ?? blocks[0] ?? null
    return heading !== null && entity === null ? byName(speaker) : { entity, stage: 'binding' }
  }
}
