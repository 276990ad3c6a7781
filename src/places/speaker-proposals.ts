import type { SpeakerProposal } from '#protocol/places/reindex.js'
import type { Snapshot } from '#src/corpus/snapshot.js'
import { nearestNames } from '#src/names/nearest.js'
import { playersIn } from '#src/sessions/naming/characters.js'

/**
 * Speakers of sessions that no entity answers to: names of PU and `@Uczestnicy`, those of most sessions first (A 4.8).
 * The speakers of transcripts join them with the archive.
 */
export const speakerProposals = ({ sessions, names }: Snapshot): ReadonlyArray<SpeakerProposal> => {
  const found = new Map<string, { readonly name: string; readonly dates: Array<string> }>()
  for (const session of sessions.all)
    for (const { key, name, type } of playersIn(session, names)) {
      if (type !== null) continue
      const known = found.get(key) ?? { name, dates: [] }
      known.dates.push(session.date)
      found.set(key, known)
    }
  return [...found.values()]
    .sort((left, right) => right.dates.length - left.dates.length || (left.name < right.name ? -1 : 1))
    .map(({ name, dates }) => ({
      Speaker: name,
      Sessions: dates.length,
      First: dates[0] ?? '',
      Last: dates.at(-1) ?? '',
      Suggestions: nearestNames(names, name, 'Postać'),
    }))
}
