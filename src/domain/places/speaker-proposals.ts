import type { SpeakerProposal } from '#protocol/places.js'
import { nearestNamesInSlices } from '#src/domain/names/nearest.js'
import { playersIn } from '#src/domain/sessions/naming/characters.js'
import type { SessionLore } from '#src/domain/sessions/session-lore.js'
import type { Sliced } from '#src/domain/slicing/sliced.js'

/** Most proposals of one answer, because each is compared with the name of every character. */
const proposalsMax = 200

interface Speaker {
  readonly name: string
  readonly dates: Array<string>
}

const byNeed = (left: Speaker, right: Speaker): number =>
  right.dates.length - left.dates.length || (left.name < right.name ? -1 : 1)

/**
 * Speakers of sessions that are no entity: names in PU and `@Uczestnicy`, the 200 with most sessions (A 4.8).
 * The speakers of transcripts will join them with the archive.
 */
export const speakerProposals = function* ({
  sessions,
  names,
}: Pick<SessionLore, 'sessions' | 'names'>): Sliced<ReadonlyArray<SpeakerProposal>> {
  const found = new Map<string, Speaker>()
  for (const session of sessions.all) {
    for (const { key, name, type } of playersIn(session, names)) {
      if (type !== null) continue
      const known = found.get(key) ?? { name, dates: [] }
      known.dates.push(session.date)
      found.set(key, known)
    }
    yield
  }
  const proposals: Array<SpeakerProposal> = []
  for (const { name, dates } of [...found.values()].sort(byNeed).slice(0, proposalsMax)) {
    const Suggestions = yield* nearestNamesInSlices(names, name, 'Postać')
    const [First = '', Last = ''] = [dates[0], dates.at(-1)]
    proposals.push({ Speaker: name, Sessions: dates.length, First, Last, Suggestions })
    yield
  }
  return proposals
}
