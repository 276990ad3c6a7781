import { describeAdoptedEntities, describeAdoptedRegistry } from '../admin/descriptions.js'
import type { Descriptions } from '../description.js'

const countedText = {
  findingCount: 'Number of `findings`.',
  findings: 'What the lore lacks or has in excess.',
  stats: 'Numbers of what the lore has.',
} as const

const stats = {
  Entities: 'Number of blocks by type.',
  SessionsObserved: 'Number of sessions that were read.',
  SessionRegistry: 'Numbers of the registry of sessions by place.',
  Files: 'Number of files that the commit changes.',
} as const

export const reindexDescriptions: Descriptions = {
  Reindexed: {
    reindexed: 'True when a file was changed.',
    ...countedText,
    speakerProposals: 'Speakers in sessions that have no block.',
  },
  'Reindexed.stats': stats,
  ...describeAdoptedEntities('Reindexed.stats'),
  ...describeAdoptedRegistry('Reindexed.stats'),
  Reindex: { wouldReindex: 'True when a file would be changed.', ...countedText },
  'Reindex.stats': stats,
  ...describeAdoptedEntities('Reindex.stats'),
  ...describeAdoptedRegistry('Reindex.stats'),
  SpeakerProposal: {
    Speaker: 'Name of the speaker, as written.',
    Sessions: 'Number of sessions with the speaker.',
    First: 'Day of the first of them, `YYYY-MM-DD`.',
    Last: 'Day of the last of them, `YYYY-MM-DD`.',
    Suggestions: 'Headings of the characters with the most similar names, best first.',
  },
}
