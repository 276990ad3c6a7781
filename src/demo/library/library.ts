import type { Chance } from '../chance.js'
import type { Change } from '../commit.js'
import type { WorldCast } from '../people/cast.js'
import type { DocumentKind } from './document-kind.js'
import { documentsOf } from './document-text.js'
import { guideFiles } from './guides.js'
import { scanFiles } from './scans.js'
import { chronicles, legends, letters } from './tales.js'
import { herbal, statutes, townDescriptions } from './treatises.js'

const kinds: ReadonlyArray<DocumentKind> = [chronicles, legends, letters, townDescriptions, statutes, herbal]

/** The 37 documents of the works tree beside the three regulations, two of them scans. */
export const libraryFiles = (cast: WorldCast, chance: Chance): ReadonlyArray<Change> => [
  ...kinds.flatMap(kind => documentsOf(kind, cast, chance.fork(kind.folder))),
  ...guideFiles,
  ...scanFiles,
]
