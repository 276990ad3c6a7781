import { isLeft } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { parseJson } from '#src/domain/json/parse-json.js'
import type { Finding } from '#src/domain/lore/finding.js'
import { rawLines } from '#src/domain/lore/lines/lines.js'
import type { SourceFile } from '#src/domain/lore/source-file.js'
import { atOnce, forEachInSlices, type Sliced } from '#src/domain/slicing/sliced.js'
import type { Batch, Batches } from './batch.js'

const Figure = t.union([t.number, t.null])

const AwardLine = t.type({
  character: t.string,
  granted: Figure,
  sumaBefore: Figure,
  sumaAfter: Figure,
  nadmiarBefore: Figure,
  nadmiarAfter: Figure,
})

/** A valid instant with its offset. */
const At = t.refinement(
  t.string,
  text =>
    /^\d{4}-\d{2}-\d{2}T[\d:.]{5,15}(?:Z|[+-]\d{2}:\d{2})$/.test(text) && !Number.isNaN(Date.parse(text)),
  'At',
)

const BatchLine = t.type({
  id: t.string,
  month: t.union([t.string, t.null]),
  at: At,
  source: t.keyof({ legacy: null, batch: null }),
  sessions: t.readonlyArray(t.string),
  awards: t.readonlyArray(AwardLine),
})

const unreadable = (file: SourceFile, line: number): Finding => ({
  kind: 'BatchUnreadable',
  severity: 'error',
  file: file.path,
  line,
  subject: null,
  reason: 'Wiersz nie jest rozliczeniem PU; jego sesje liczą się jako nierozliczone.',
  suggestion: 'Przywróć wiersz z commita, który go zapisał.',
})

/**
 * Parses `.svc/pu/batches.jsonl`; empty for null. An invalid line is a finding. Never throws; yields between
 * lines.
 */
export const parseBatchesInSlices = function* (file: SourceFile | null): Sliced<Batches> {
  const all: Array<Batch> = []
  const findings: Array<Finding> = []
  if (file === null) return { all, findings }
  yield* forEachInSlices(rawLines(file.text).entries(), ([at, text]) => {
    if (text.trim() === '') return
    const batch = BatchLine.decode(parseJson(text))
    if (isLeft(batch)) findings.push(unreadable(file, at + 1))
    else all.push(batch.right)
  })
  return { all, findings }
}

/** Runs `parseBatchesInSlices` to its end without yielding. */
export const parseBatches = (file: SourceFile | null): Batches => atOnce(parseBatchesInSlices(file))
