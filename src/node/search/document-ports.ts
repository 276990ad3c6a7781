import type { Tier } from '#protocol/atoms.js'
import type { DocumentPort, TierContent } from '#src/domain/search/document.js'

const noContent: TierContent = {
  stamp: 'empty',
  sources: new Map(),
  read: async function* () {
    // A tier without sources has no documents.
  },
  texts: null,
}

/** The port of a tier that nothing supplies documents for yet. */
export const emptyDocuments = (tier: Tier): DocumentPort => ({
  tier,
  current: () => noContent,
  watch: () => undefined,
})
