import type { Descriptions } from '../description.js'

export const searchIndexDescriptions: Descriptions = {
  SearchIndexAnswer: { tiers: 'Every tier, in a fixed order.' },
  SearchIndexTier: {
    tier: 'Name of the tier.',
    state: '`disabled` by the configuration, `starting` with its first index, or `live`: it answers.',
    building: 'Whether a build or merge of the tier is under way.',
    engine: 'What ranks the tier; null while it does not answer.',
    stamp: 'The state of the texts that the index holds; null while it does not answer.',
    documents: 'Number of documents in the index.',
    changes: 'Number of documents added or dropped since the last build or merge.',
    trouble: 'Last index or thread that could not be used since the start; null where there was none.',
  },
  SearchTrouble: {
    during: 'What was under way.',
    cause: 'Why: `damaged` file, thread `ended`, out of `memory`, `disk` refused, or `failed`: see the log.',
    at: 'When, ISO 8601 in UTC.',
  },
  SearchRebuilt: { tiers: 'Tiers with a new index; for a dry run, those that would get one.' },
}
