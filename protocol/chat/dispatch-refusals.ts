import * as t from 'io-ts'
import { refusalRow as row } from '../refusal-row.js'

const text = t.string
const texts = t.readonlyArray(t.string)

/** The refusals of `POST /chat/dispatch`, in the order of their checks (A 4.9). */
export const dispatchRefusalRows = {
  not_dispatchable: row(
    422,
    'The kind is none of `kinds`, variables of it are missing or unusable, or this host enacts no such kind.',
    { kinds: texts, missing: texts },
  ),
  dispatch_stale: row(
    410,
    'The interaction came later than `windowMs` after it was sent. Enact it elsewhere; this host does not.',
    { ageMs: t.number, windowMs: t.number, daemonEpochMs: t.number },
  ),
  too_late_for_report: row(
    409,
    'The report came later than `nearDeadlineMs` after it was sent. File it by the pipeline.',
    { ageMs: t.number, nearDeadlineMs: t.number, daemonEpochMs: t.number },
  ),
  daemon_write_gated: row(
    503,
    'The write gate is closed by `arm`, so nothing is closed or reported here. Enact it by the pipeline.',
    { arm: text },
  ),
} as const
