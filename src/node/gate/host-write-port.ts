import type { WritePort } from '#src/writing/command.js'
import type { NodeParts } from '../tree/node-parts.js'
import { freshCorpus } from './fresh-corpus.js'
import { headFilesIn } from './look-at-head.js'
import { planPorts } from './plan-ports.js'
import type { Checked } from './preview.js'
import { writePort } from './write-port.js'

const checkedLandingOf = ({ checkout: { landing, source }, held, look }: NodeParts): Checked | null =>
  landing === null
    ? null
    : { landing, headFiles: headFilesIn(source), fresh: freshCorpus({ source, held, look }).fresh }

/** The write port of this host: for the front, and for jobs. */
export const hostWritePort = (parts: NodeParts): WritePort =>
  writePort({
    ...planPorts(parts),
    gate: parts.tree.doors.gate,
    snapshot: parts.snapshot,
    checked: checkedLandingOf(parts),
  })
